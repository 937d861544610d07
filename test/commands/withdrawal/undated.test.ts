/** The document shows no `createdAt` of a withdrawal: one that is null breaks nothing. */
import { expect, it } from 'vitest';
import { hostileServer, json, success } from '../../support/hostile-server.ts';
import { emptyHome, run } from '../../support/run.ts';

const end = { hasMore: false, next: null, before: null };

it('a withdrawal without a time is accepted, listed and agreed on', async () => {
  const made: object[] = [];
  await using server = await hostileServer((response, { method, body }) => {
    if (method !== 'POST') return json(response, 200, { ...success(made), pagination: end });
    made.push({ ...JSON.parse(body), id: 'wd_1', status: 'COMPLETED', createdAt: null });
    json(response, 201, success(made[0]));
  });
  const options = { home: emptyHome(), env: { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' } };
  const to = ['--to', 'ana@example.com', '--type', 'EMAIL'];
  const args = ['withdraw', '--amount', '1000', ...to, '--idempotency-key', 'k', '--yes'];
  expect(await run(args, options)).toMatchObject({ code: 0 });
  expect(await run(['withdrawal', 'audit'], options)).toMatchObject({ code: 0 });
  const listed = await run(['withdrawal', 'list', '--since', '1h', '-o', 'csv'], options);
  expect(listed.code).toBe(0);
});
