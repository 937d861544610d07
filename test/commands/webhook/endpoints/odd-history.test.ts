/** A deliveries history that asks or answers otherwise than was assumed. */
import { expect, it } from 'vitest';
import { hostileServer, json, success } from '../../../support/hostile-server.ts';
import { run } from '../../../support/run.ts';

const refusal = { error: 'VALIDATION_ERROR', message: 'limit: is not known', success: false };

it.each<[string, number, object, number]>([
  ['refuses its query', 400, refusal, 80],
  ['is wrapped', 200, success({ deliveries: [] }), 1],
])('one that %s is told with the command that shows it as it is', async (_, status, answer, exit) => {
  await using server = await hostileServer((response, { path }) =>
    path.includes('?') ? json(response, status, answer) : json(response, 200, success({ deliveries: [] })),
  );
  const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_test', PIXCTL_MERCHANT: 'm' };
  const { code, stderr } = await run(['webhook', 'deliveries', 'wh_7'], { env });
  expect(code).toBe(exit);
  expect(stderr).toContain('pixctl api GET /webhooks/wh_7/deliveries asks without a query');
  const all = await run(['webhook', 'deliveries', 'wh_7', '--all'], { env });
  expect([all.code, all.stderr]).toEqual([exit, stderr]);
  const whole = await run(['api', 'GET', '/webhooks/wh_7/deliveries'], { env });
  expect([whole.code, whole.stdout]).toEqual([0, expect.stringContaining('deliveries')]);
});
