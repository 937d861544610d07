/** One ledger keeps the keys of withdrawals and of charges: a verb of one is told that a key is of the other. */
import { expect, it } from 'vitest';
import { openHurriedBench as openBench } from '../../support/withdrawal-bench.ts';

it.concurrent.each([
  [['status', 'c-1']],
  [['reconcile', 'c-1']],
  [['resolve', 'c-1', '--not-sent']],
  [['resolve', 'c-1', '--not-sent', '--yes']],
])('withdrawal %j of the key of a charge is 88, and names its verb', async (verb) => {
  await using bench = await openBench();
  const made = await bench.run(['charge', 'create', '--amount', '100', '--idempotency-key', 'c-1']);
  expect(made.code).toBe(0);
  const told = await bench.run(['withdrawal', ...verb]);
  expect([told.code, told.stdout]).toEqual([88, '']);
  expect(told.stderr).toContain('pixctl charge resolve c-1');
});

it.concurrent('charge resolve of the key of a withdrawal is 88, and names its verb', async () => {
  await using bench = await openBench();
  await bench.pay('k-1', 1_050);
  const told = await bench.run(['charge', 'resolve', 'k-1']);
  expect([told.code, told.stdout]).toEqual([88, '']);
  expect(told.stderr).toContain('pixctl withdrawal status k-1');
});

it.concurrent('charge create under the key of a withdrawal is 85, and takes it for no charge', async () => {
  await using bench = await openBench();
  expect((await bench.pay('k-1', 1_050)).code).toBe(0);
  const told = await bench.run(['charge', 'create', '--amount', '1050', '--idempotency-key', 'k-1']);
  expect([told.code, told.stdout]).toEqual([85, '']);
  expect(told.stderr).toContain('belongs to a withdrawal of R$ 10,50. Nothing was sent.');
  expect(told.stderr).not.toContain('charge get');
});

it.concurrent('a word against what the service has for good is refused without being asked for', async () => {
  await using bench = await openBench();
  await bench.pay('k-1', 1_050, '--wait');
  const told = await bench.run(['withdrawal', 'resolve', 'k-1', '--not-sent']);
  expect(told.code).toBe(64);
  expect(told.stderr).toContain('Its outcome is known (COMPLETED)');
});

const either = 'Give either --withdrawal <id> or --not-sent. Nothing was changed.';

it.concurrent.each([
  [['--withdrawal', 'wd_1', '--not-sent'], either],
  [[], either],
  [['--withdrawal', 'wd_1', '--short-list'], '--short-list goes with --not-sent only. Nothing was changed.'],
])('resolve takes one word, not %j', async (flags, says) => {
  await using bench = await openBench();
  bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'before' } : null);
  expect((await bench.pay('k-1', 1_050)).code).toBe(81);
  const told = await bench.run(['withdrawal', 'resolve', 'k-1', ...flags, '--yes']);
  expect(told.code).toBe(64);
  expect(told.stderr).toContain(says);
});
