/** What is told to run next means the merchant that this run meant; and where nobody says who that is, it is told. */
import { expect, it } from 'vitest';
import { skipped } from '../../support/platform.ts';
import { postgresMissing, startPostgres } from '../../support/postgres.ts';
import { openHurriedBench as openBench, payArgs } from '../../support/withdrawal-bench.ts';

it('audit and doctor name the address that was given, in every format', async () => {
  await using bench = await openBench();
  bench.proxy.intercept = ({ method }) => (method === 'POST' ? { kind: 'reset', when: 'before' } : null);
  expect((await bench.pay('k-1', 1_050)).code).toBe(81);
  for (const [line, code] of [
    ['withdrawal audit', 81],
    ['withdrawal audit -o csv', 81],
    ['withdrawal audit -o json', 81],
    ['doctor --offline -o json', 78],
  ] as const) {
    const told = await bench.run(['--base-url', bench.proxy.url, ...line.split(' ')]);
    expect(told.code, line).toBe(code);
    expect(told.stdout, line).toContain(`pixctl --base-url ${bench.proxy.url} withdrawal reconcile`);
    expect(told.stdout, line).not.toContain('pixctl withdrawal');
  }
});

it.skipIf(postgresMissing !== null)(
  skipped(
    'a ledger that several merchants may share asks for a label, one of this machine does not',
    postgresMissing,
  ),
  async () => {
    await using bench = await openBench();
    const server = await startPostgres();
    try {
      const shared = { PIXCTL_LEDGER_URL: await server.createDatabase() };
      const words = 'No merchant label: this shared ledger records it under "default"';
      const told = await bench.run(payArgs('k-1', 1_050), shared);
      expect([told.code, told.stderr]).toEqual([0, expect.stringContaining(words)]);
      const labelled = await bench.run(payArgs('k-2', 1_060), { ...shared, PIXCTL_MERCHANT: 'acme' });
      await using own = await openBench();
      for (const { code, stderr } of [labelled, await own.pay('k-1', 1_050)])
        expect([code, stderr]).toEqual([0, expect.not.stringContaining('No merchant label')]);
    } finally {
      await server.stop();
    }
  },
);
