/** One merchant under two labels, or one service under two addresses: a payment is not taken for another key's. */
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
  const elsewhere = {
    merchant: 'head',
    baseUrl: bench.proxy.url,
    idempotencyKey: 'rent',
    state: 'COMPLETED',
  };
  expect([looked.code, printed(looked)]).toMatchObject([
    81,
    { moneyMoved: 'maybe', candidates: [paid], elsewhere: [{ withdrawalId: paid?.id, ...elsewhere }] },
  ]);
  expect(looked.stderr).toContain('This ledger has it under the merchant label head (key rent)');
  expect((await as('branch', payArgs('bonus', 1_050))).code).toBe(81);
  const audit = await as('branch', ['withdrawal', 'audit', '--fields', 'code,elsewhere']);
  expect([audit.code, audit.stdout]).toEqual([
    81,
    expect.stringContaining(`UNCLAIMED\t${paid?.id}: rent COMPLETED (head at ${bench.proxy.url})`),
  ]);
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

it('a payment at one address is not taken for that of another key at the other, where both are one service', async () => {
  await using bench = await openBench();
  // Past the proxy: the same service by another name.
  const direct = { PIXCTL_MERCHANT: 'shop', PIXCTL_BASE_URL: bench.sandbox.url };
  const proxied = { PIXCTL_MERCHANT: 'shop' };
  bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'before' } : null);
  expect((await bench.run(payArgs('bonus', 1_050), proxied)).code).toBe(81);
  bench.proxy.intercept = () => null;
  expect((await bench.run(payArgs('rent', 1_050, '--wait'), direct)).code).toBe(0);

  for (const args of [['withdrawal', 'reconcile', 'bonus', '--json'], payArgs('bonus', 1_050)]) {
    const looked = await bench.run(args, proxied);
    expect([looked.code, printed(looked)]).toMatchObject([81, { moneyMoved: 'maybe' }]);
    expect(looked.stderr).toContain(
      `This ledger has it under the merchant label shop at ${bench.sandbox.url} (key rent)`,
    );
  }
  expect(await bench.listed()).toHaveLength(1);
});

it('while one label waits for its answer, what it made is not taken for the payment of another', async () => {
  await using bench = await openBench();
  const as = (merchant: string) => ({ PIXCTL_MERCHANT: merchant });
  bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'before' } : null);
  expect((await bench.run(payArgs('bonus', 1_050), as('branch'))).code).toBe(81);
  const held = bench.holdAnswer();
  const paying = bench.start(payArgs('rent', 1_050), as('head'));
  const ended = new Promise((resolve) => paying.once('close', resolve));
  await held.arrived;
  await expect.poll(() => bench.listed()).toHaveLength(1);

  const looked = await bench.run(['withdrawal', 'reconcile', 'bonus', '--json'], as('branch'));
  expect([looked.code, printed(looked)]).toMatchObject([81, { moneyMoved: 'maybe' }]);
  expect(looked.stderr).toContain(
    'An equal withdrawal is being sent under the merchant label head (key rent) right now',
  );
  held.release();
  expect(await ended).toBe(0);
  const after = await bench.run(['withdrawal', 'reconcile', 'bonus', '--json'], as('branch'));
  expect(after.code).toBe(81);
  expect(after.stderr).toContain('This ledger has it under the merchant label head (key rent)');
});
