/** What is told on stdout to run next means the merchant that this run meant. */
import { expect, it } from 'vitest';
import { openHurriedBench as openBench } from '../../support/withdrawal-bench.ts';

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
