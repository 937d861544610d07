import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../../../src/sandbox/index.ts';
import { hostileServer, json, success } from '../../../support/hostile-server.ts';
import { emptyHome, run } from '../../../support/run.ts';

const undated = {
  id: 'wd_1',
  amount: 1050,
  fee: 100,
  pixKey: 'ana@example.com',
  pixKeyType: 'EMAIL',
  status: 'COMPLETED',
};

describe('withdrawal list --since', () => {
  it('says what it leaves out because the service gives it no creation time', async () => {
    const items = [undated, { ...undated, id: 'wd_2', createdAt: '2026-03-10T12:00:00Z' }];
    await using server = await hostileServer((response) =>
      json(response, 200, { ...success(items), pagination: { hasMore: false, next: null, before: null } }),
    );
    const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' };
    const list = (...flags: string[]) => run(['withdrawal', 'list', '-o', 'json', ...flags], { env });

    const since = await list('--since', '2026-01-01');
    expect(since.code).toBe(0);
    expect(JSON.parse(since.stdout)).toMatchObject([{ id: 'wd_2' }]);
    expect(since.stderr).toContain('Left out: 1 withdrawal that the service lists without a creation time.');
    expect(await list()).toMatchObject({ code: 0, stderr: '' });
  });
});

it.each([
  [['--status', 'FAILED'], 100],
  [['--since', '2026-01-01', '--limit', '5'], 100],
  [['--limit', '5'], 5],
  [[], 20],
])('withdrawal list %j asks for pages of %i: matches may be scattered over many', async (flags, limit) => {
  await using server = await hostileServer((response) =>
    json(response, 200, { ...success([]), pagination: { hasMore: false, next: null, before: null } }),
  );
  const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' };
  expect((await run(['withdrawal', 'list', ...flags], { env })).code).toBe(0);
  expect(server.received.map(({ path }) => path)).toEqual([`/withdrawals?limit=${limit}`]);
});

it('withdrawal list --fields idempotencyKey shows which key of the ledger paid each, and null for another', async () => {
  await using sandbox = await startSandbox({ merchant: { available: 10_000 }, withdrawals: 'immediate' });
  const home = emptyHome();
  const env = { PIXCTL_BASE_URL: sandbox.url, PIXCTL_API_KEY: sandbox.apiKey };
  const order = ['--amount', '12,50', '--to', 'ana@example.com', '--idempotency-key', 'invoice-17'];
  expect((await run(['withdraw', ...order, '--yes', '--wait'], { home, env })).code).toBe(0);
  const headers = { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ amount: 700, pixKey: 'joao@example.com', pixKeyType: 'EMAIL' });
  await fetch(`${sandbox.url}/withdrawals`, { method: 'POST', headers, body });

  const list = async (...flags: string[]) =>
    JSON.parse((await run(['withdrawal', 'list', '-o', 'json', ...flags], { home, env })).stdout);
  expect(await list('--fields', 'amount,idempotencyKey')).toEqual([
    { amount: 700, idempotencyKey: null },
    { amount: 1250, idempotencyKey: 'invoice-17' },
  ]);
  expect(await list('--status', 'COMPLETED', '--fields', 'idempotencyKey', '--limit', '1')).toEqual([
    { idempotencyKey: null },
  ]);
  // Without it, the item is what the service sent.
  expect(Object.keys((await list())[0])).not.toContain('idempotencyKey');
  const csv = await run(['withdrawal', 'list', '-o', 'csv'], { home, env });
  expect(csv.stdout).not.toMatch(/Idempotency|invoice-17/);
});

it('withdrawal list --fields idempotencyKey fails with 78 if the ledger is not the expected one', async () => {
  const env = { PIXCTL_BASE_URL: 'http://127.0.0.1:1', PIXCTL_API_KEY: 'svc_x', PIXCTL_LEDGER_URL: '' };
  const named = await run(['withdrawal', 'list', '--fields', 'idempotencyKey'], { env });
  expect(named).toMatchObject({ code: 78, stdout: '' });
  expect(named.stderr).toContain('PIXCTL_LEDGER_URL is empty');
  // The ledger is not opened for anything else.
  expect((await run(['withdrawal', 'list', '--fields', 'id'], { env })).code).toBe(75);
});
