/** What may go wrong between the command and the service, and what a rerun as cron's makes of it. */
import { describe, expect, it } from 'vitest';
import { everyFault, type Fault, randomFaults } from '../../support/chaos-proxy.ts';
import { openBench, printed } from '../../support/withdrawal-bench.ts';

const title = ({ kind, when, status }: Fault) =>
  `${kind}${status === undefined ? '' : ` ${status}`} ${when} the effect`;

/** Short only where nothing else ends the wait; long enough for what comes before it on a busy machine. */
const patienceFor = ({ kind }: Fault): string => (kind === 'hang' ? '6s' : '30s');

/** Exit code of the run that met the fault, and of its rerun with the network well again. */
const before: readonly { fault: Fault; codes: readonly [number, number]; posts: number }[] = [
  { fault: { kind: 'reset', when: 'before' }, codes: [81, 81], posts: 1 },
  { fault: { kind: 'hang', when: 'before' }, codes: [81, 81], posts: 1 },
  { fault: { kind: 'status', when: 'before', status: 500 }, codes: [81, 81], posts: 1 },
  // The service's own words, and nothing new in its list: refused, so that the rerun pays.
  { fault: { kind: 'conflict', when: 'before' }, codes: [80, 0], posts: 2 },
];

describe.concurrent('a fault before the effect', () => {
  it.each(before.map((one) => [title(one.fault), one] as const))('%s', async (_, { fault, codes, posts }) => {
    await using bench = await openBench();
    const { proxy } = bench;
    proxy.intercept = ({ method }) => (method === 'POST' && proxy.posts().length === 1 ? fault : null);
    const first = await bench.pay('k-1', 1_050, '--timeout', patienceFor(fault));
    const rerun = await bench.pay('k-1', 1_050);
    expect([first.code, rerun.code]).toEqual(codes);
    expect(first.stderr).toContain(codes[0] === 81 ? 'Money may have moved.' : 'No money moved.');
    expect(printed(first)).toMatchObject({
      state: codes[0] === 81 ? 'UNKNOWN' : 'REFUSED',
      withdrawal: null,
    });
    expect(proxy.posts()).toHaveLength(posts);
    expect(await bench.listed()).toHaveLength(codes[1] === 0 ? 1 : 0);
  });
});

describe.concurrent('a fault after the effect', () => {
  const faults = everyFault.filter(({ when }) => when === 'after');
  it.each(faults.map((fault) => [title(fault), fault] as const))('%s', async (_, fault) => {
    await using bench = await openBench({ withdrawals: 'manual' });
    const { proxy } = bench;
    proxy.intercept = ({ method }) => (method === 'POST' && proxy.posts().length === 1 ? fault : null);
    const first = await bench.pay('k-1', 1_050, '--timeout', patienceFor(fault));
    const rerun = await bench.pay('k-1', 1_050);
    expect([0, 81]).toContain(first.code);
    expect(rerun.code).toBe(0);
    const listed = await bench.listed();
    expect(listed).toHaveLength(1);
    expect(printed(rerun)).toMatchObject({ state: 'ACCEPTED', withdrawal: { id: listed[0]?.id } });
    expect(proxy.posts()).toHaveLength(1);
  });
});

describe('many withdrawals through a bad network', () => {
  it.each([7, 20_260_102])(
    'seed %i: no key twice, none lost, no exit 0 without a withdrawal',
    async (seed) => {
      await using bench = await openBench();
      const kinds = everyFault.filter(({ when, kind }) => when === 'after' && kind !== 'hang');
      bench.proxy.intercept = randomFaults(seed, 0.6, { reads: 0.1, kinds });
      const keys = Array.from({ length: 6 }, (_, n) => ({ key: `k-${n}`, amount: 2_000 + n }));
      for (const { key, amount } of keys) {
        let code: number | null = null;
        for (let tries = 0; code !== 0 && tries < 12; tries += 1) {
          const finished = await bench.pay(key, amount, '--if-busy', 'wait', '--timeout', '5s');
          code = finished.code;
          const has = (await bench.listed()).some((one) => one.amount === amount);
          if (code === 0) expect(has).toBe(true);
        }
        expect(code).toBe(0);
      }
      const amounts = (await bench.listed()).map(({ amount }) => amount).sort();
      expect(amounts).toEqual(keys.map(({ amount }) => amount));
    },
  );
});
