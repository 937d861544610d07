import { describe, expect, it } from 'vitest';
import { hostileServer, json, success } from '../../../support/hostile-server.ts';
import { run } from '../../../support/run.ts';

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
