/** A key whose charge cannot be read: that there is one is told, or it would be created again under another key. */
import { expect, it } from 'vitest';
import { failure, hostileServer, json, someCharge, success } from '../../support/hostile-server.ts';
import { emptyHome, run } from '../../support/run.ts';

it.each([
  [404, 'NOT_FOUND', 88],
  [401, 'UNAUTHORIZED', 77],
])('%i is reported with the charge that the key has', async (status, error, exit) => {
  await using server = await hostileServer((response, { method }) =>
    method === 'POST'
      ? json(response, 201, success(someCharge))
      : json(response, status, failure(error, 'why')),
  );
  const options = { home: emptyHome(), env: { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' } };
  const args = ['charge', 'create', '--amount', '1050', '--idempotency-key', 'order-1'];
  expect(await run(args, options)).toMatchObject({ code: 0 });
  const { code, stderr } = await run(args, options);
  expect(code).toBe(exit);
  expect(stderr).toContain('The key order-1 already belongs to the charge chg_1, which could not be read.');
  expect(server.received.filter(({ method }) => method === 'POST')).toHaveLength(1);
});
