/** One merchant under two labels: what one has paid is not taken for the other's. */
import { expect, it } from 'vitest';
import { openHurriedBench as openBench, payArgs, printed } from '../../support/withdrawal-bench.ts';

it('a payment under one label is not taken for that of another key under the other, which a person can settle', async () => {
  await using bench = await openBench();
  const as = (merchant: string, args: readonly string[]) => bench.run(args, { PIXCTL_MERCHANT: merchant });
  bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'before' } : null);
  expect((await as('branch', payArgs('bonus', 1_050))).code).toBe(81);
  bench.proxy.intercept = () => null;
  expect((await as('head', payArgs('rent', 1_050, '--wait'))).code).toBe(0);
  const [paid] = await bench.listed();

  const looked = await as('branch', ['withdrawal', 'reconcile', 'bonus', '--json']);
  expect([looked.code, printed(looked)]).toMatchObject([81, { moneyMoved: 'maybe', candidates: [paid] }]);
  expect(looked.stderr).toContain('This ledger has it under the merchant label head (key rent)');
  expect((await as('branch', payArgs('bonus', 1_050))).code).toBe(81);
  expect((await as('branch', ['withdrawal', 'audit'])).code).toBe(81);
  expect(await bench.listed()).toHaveLength(1);

  // It never arrived, so somebody pays it in the dashboard, and names that withdrawal.
  const { url, apiKey } = bench.sandbox;
  await fetch(`${url}/withdrawals`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 1_050, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' }),
  });
  const byHand = (await bench.listed()).find(({ id }) => id !== paid?.id)?.id ?? '';
  const named = await as('branch', ['withdrawal', 'resolve', 'bonus', '--withdrawal', byHand, '--yes']);
  expect(named.code, named.stderr).toBe(0);
  expect((await as('branch', payArgs('bonus', 1_050))).code).toBe(0);
  expect((await as('branch', payArgs('water', 777))).code).toBe(0);
});
