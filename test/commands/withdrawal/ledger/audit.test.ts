/** `withdrawal audit`: what a nightly check learns from its exit code. */
import { describe, expect, it } from 'vitest';
import { hostileServer, json, success } from '../../../support/hostile-server.ts';
import { emptyHome, hurried, run } from '../../../support/run.ts';

type Row = Record<string, unknown>;
const paid: Row = { amount: 1_000, pixKey: 'ana@example.com', pixKeyType: 'EMAIL', fee: 0 };
const completed: Row = { ...paid, id: 'wd_1', status: 'COMPLETED' };
const stranger: Row = { ...paid, id: 'wd_9', amount: 777, status: 'COMPLETED' };
const end = { hasMore: false, next: null, before: null };

/** One withdrawal that was completed, and one whose answer was lost where that is asked for; then an audit. */
async function audited(
  listed: readonly Row[],
  { lost = false, flags = [] }: { lost?: boolean; flags?: string[] } = {},
) {
  let made: readonly Row[] = [];
  await using server = await hostileServer((response, { method, body }) => {
    if (method !== 'POST') return json(response, 200, { ...success(made), pagination: end });
    if (JSON.parse(body).amount !== paid.amount) return void response.destroy();
    made = [completed];
    json(response, 201, success(completed));
  });
  const env = { ...hurried, PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' };
  const options = { home: emptyHome(), env };
  const pay = (key: string, cents: string) =>
    run(['withdraw', '-a', cents, '-t', 'ana@example.com', '-k', key, '--yes'], options);
  expect((await pay('k-1', '1000')).code).toBe(0);
  if (lost) expect((await pay('k-2', '2000')).code).toBe(81);
  made = listed;
  const { code, stdout, stderr } = await run(['withdrawal', 'audit', '--json', ...flags], options);
  const told = /"code":"(\w+)"/.exec(stderr)?.[1] ?? null;
  expect(told === 'AUDIT_PROBLEM').toBe(stderr.includes('The list may be a few seconds behind'));
  const count = /\(([^()]* findings?)\)/.exec(stderr)?.[1];
  return { code, told, count, stderr, found: (JSON.parse(stdout) as Row[]).map((finding) => finding.code) };
}

describe('an audit', () => {
  it.each([
    ['the same', [completed], { code: 0, told: null, found: [] }],
    ['nothing', [], { code: 1, told: 'AUDIT_PROBLEM', found: ['NOT_LISTED'] }],
    ['another amount', [{ ...completed, amount: 1_001 }], { code: 1, told: 'AUDIT_PROBLEM' }],
    ['another PIX key', [{ ...completed, pixKey: 'eva@example.com' }], { code: 1, told: 'AUDIT_PROBLEM' }],
    ['another end', [{ ...completed, status: 'FAILED' }], { code: 1, told: 'AUDIT_PROBLEM' }],
    ['one more', [completed, stranger], { code: 86, told: 'AUDIT_UNCLAIMED', found: ['UNCLAIMED'] }],
    ['another one instead', [stranger], { code: 1, told: 'AUDIT_PROBLEM' }],
  ])('of a service that lists %s', async (_what, listed: readonly Row[], expected) => {
    expect(await audited(listed)).toMatchObject(expected);
  });

  it.each([
    [404, 'NOT_FOUND', 1],
    [400, 'BAD_REQUEST', 1],
    [403, 'FORBIDDEN', 77],
    [409, 'CONFLICT', 75],
  ])(
    'of a list that is answered with %i ends as a withdrawal does: neither 80 nor 88 is about it',
    async (status, error, code) => {
      await using server = await hostileServer((response) =>
        json(response, status, { error, message: 'no', success: false }),
      );
      const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' };
      const { code: audit, stderr } = await run(['withdrawal', 'audit'], { env });
      const { code: withdraw } = await run(
        ['withdraw', '-a', '1000', '-t', 'ana@example.com', '-k', 'k', '--yes'],
        { env },
      );
      expect([audit, withdraw]).toEqual([code, code]);
      expect(stderr).toContain(error);
    },
  );

  const old: Row = { ...stranger, createdAt: '2024-03-01T12:00:00Z' };
  const leftOut =
    '1 finding about earlier withdrawals, not shown here and not counted in the exit code: leave out --since to see all.\n';

  it.each([
    ['made long ago', [completed, old], [], leftOut],
    // A moment ago by the ledger's clock; of the old one by the service's.
    ['made since', [completed, { ...old, createdAt: new Date().toISOString() }], ['UNCLAIMED'], ''],
    ['without a time', [completed, stranger], ['UNCLAIMED'], ''],
    ['made by a time that is none', [completed, { ...old, createdAt: '05/12/2024' }], ['UNCLAIMED'], ''],
    ['gone, that was accepted since', [old], ['NOT_LISTED'], leftOut],
  ])('--since tells of what was %s only if it may be as new', async (_what, listed, found, note) => {
    const since = await audited(listed, { flags: ['--since', '30d'] });
    expect(since.found).toEqual(found);
    expect(since.stderr.includes(leftOut)).toBe(note === leftOut);
    expect(since.code).toBe(found.includes('NOT_LISTED') ? 1 : found.includes('UNCLAIMED') ? 86 : 0);
  });

  it('--since leaves out what the ledger has changed before, and agrees on the rest', async () => {
    const nothing = await audited([], { flags: ['--since', '0'] });
    expect(nothing).toMatchObject({ code: 0, found: [] });
    expect(nothing.stderr).toBe(`${leftOut}Ledger and service agree on the rest.\n`);
  });

  it('--since leaves out neither an unknown outcome nor what may be its withdrawal', async () => {
    const its: Row = { ...old, amount: 2_000 };
    expect(await audited([completed, its], { lost: true, flags: ['--since', '0'] })).toMatchObject({
      ...{ code: 81, told: 'AUDIT_UNKNOWN', found: ['UNKNOWN', 'UNCLAIMED'] },
    });
  });

  it('ends with 81 where an outcome is unknown, whatever else it finds', async () => {
    expect(await audited([stranger], { lost: true })).toMatchObject({
      ...{ code: 81, told: 'AUDIT_UNKNOWN', count: '1 of 3 findings' },
    });
  });
});
