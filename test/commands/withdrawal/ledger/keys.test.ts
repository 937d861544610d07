/** `withdrawal keys`: all that a ledger has, as an auditor reads it, whatever became of each. */
import { describe, expect, it } from 'vitest';
import { leaveUnknown } from '../../../support/leave-unknown.ts';
import { type Bench, openHurriedBench } from '../../../support/withdrawal-bench.ts';

type Row = Record<string, unknown>;

/** A ledger with a key that was paid, one that was refused, and one (`k-1`) whose answer was lost. */
async function openLedger(): Promise<Bench> {
  const bench = await openHurriedBench({ merchant: { available: 100_000, withdrawalLimit: 50_000 } });
  expect((await bench.pay('paid', 2_000, '--wait')).code).toBe(0);
  expect((await bench.pay('refused', 60_000)).code).toBe(80);
  expect(await leaveUnknown(bench, 'after')).toBe(81);
  return bench;
}

async function list(bench: Bench, flags: readonly string[] = [], env: Record<string, string> = {}) {
  const args = ['withdrawal', 'keys', '--json', ...flags];
  const { code, stdout, stderr } = await bench.run(args, env);
  const rows = code === 0 ? (JSON.parse(stdout) as Row[]) : [];
  return { code, rows, names: rows.map(({ idempotencyKey }) => idempotencyKey), stderr };
}

describe('withdrawal keys', () => {
  it('lists what was paid, refused and is unknown with the sums of each, and without the service', async () => {
    await using bench = await openLedger();
    const [paid] = (await bench.listed()).filter(({ amount }) => amount === 2_000);
    const asked = bench.proxy.seen.length;
    const { code, rows, stderr } = await list(bench, [], { PIXCTL_API_KEY: '' });
    expect(bench.proxy.seen).toHaveLength(asked);
    expect(code).toBe(0);
    const maria = { pixKey: 'maria@example.com', pixKeyType: 'EMAIL' };
    expect(rows).toMatchObject([
      { idempotencyKey: 'k-1', state: 'UNKNOWN', moneyMoved: 'maybe', amount: 1_050, withdrawalId: null },
      { ...maria, idempotencyKey: 'paid', state: 'COMPLETED', moneyMoved: 'yes', withdrawalId: paid?.id },
      { idempotencyKey: 'refused', state: 'REFUSED', moneyMoved: 'no', amount: 60_000, fee: null },
    ]);
    expect(stderr).toBe(
      '3 keys: 1 REFUSED (R$ 600,00), 1 UNKNOWN (R$ 10,50), 1 COMPLETED (R$ 20,00). pixctl withdrawal reconcile settles what is unknown.\n',
    );
  });

  it('has what the receipt of each key has', async () => {
    await using bench = await openLedger();
    for (const row of (await list(bench)).rows) {
      const { stdout } = await bench.run(['withdrawal', 'status', String(row.idempotencyKey), '--json']);
      const receipt = JSON.parse(stdout) as Row;
      for (const field of [
        'idempotencyKey',
        'state',
        'amount',
        'pixKey',
        'pixKeyType',
        'moneyMoved',
        'reason',
      ])
        expect([field, row[field]]).toEqual([field, receipt[field]]);
    }
  });

  it('shows only those of a state or a period', async () => {
    await using bench = await openLedger();
    expect((await list(bench, ['--state', 'unknown, not-sent'])).names).toEqual(['k-1']);
    expect((await list(bench, ['--since', '1h'])).names).toEqual(['k-1', 'paid', 'refused']);
    expect(await list(bench, ['--until', '1h'])).toMatchObject({ code: 0, names: [] });
    const wrong = await list(bench, ['--state', 'COMPLETE']);
    expect(wrong.code).toBe(64);
    expect(wrong.stderr).toContain(
      '--state: \\"COMPLETE\\" is not a state of the ledger; did you mean COMPLETED?',
    );
  });

  it('shows those of other labels only if asked to, and whose they are', async () => {
    await using bench = await openLedger();
    const other = { PIXCTL_MERCHANT: 'bakery' };
    const none = await list(bench, [], other);
    expect(none.names).toEqual([]);
    expect(none.stderr).toBe(
      'No such key of this merchant label and address; --all-labels looks at all of the ledger.\n',
    );
    expect((await list(bench, ['--all-labels'], other)).names).toEqual(['k-1', 'paid', 'refused']);
    const { stdout } = await bench.run(['withdrawal', 'keys', '--all-labels', '--state', 'COMPLETED'], other);
    expect(stdout.split('\n')[1]).toMatch(
      new RegExp(`^default\t${bench.env.PIXCTL_BASE_URL}\tpaid\tCOMPLETED\t`),
    );
  });
});
