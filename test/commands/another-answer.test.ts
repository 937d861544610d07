/** A cache or a mixed-up proxy may answer with another record: it is nobody's that was asked for. */
import { expect, it } from 'vitest';
import { hostileServer, json, someCharge, success } from '../support/hostile-server.ts';
import { run } from '../support/run.ts';

it.each([
  [['customer', 'get', 'cust_1'], 'cust_2', 'OTHER_CUSTOMER', 'pixctl api GET /customers/cust_1'],
  [['charge', 'get', 'chg_9'], 'chg_1', 'OTHER_CHARGE', 'pixctl api GET /transparents/check -f id=chg_9'],
  [['withdrawal', 'get', 'wd_9'], 'wd_1', 'OTHER_WITHDRAWAL', 'pixctl api GET /withdrawals/wd_9'],
  [['withdrawal', 'wait', 'wd_9'], 'wd_1', 'OTHER_WITHDRAWAL', 'pixctl api GET /withdrawals/wd_9'],
  [['charge', 'refund', 'chg_9', '--yes'], 'chg_1', 'OTHER_CHARGE', 'pixctl api GET /transparents/check'],
])('%j that is answered with %s shows nothing and sends nothing', async (args, id, error, line) => {
  await using server = await hostileServer((response) =>
    json(response, 200, success({ ...someCharge, id, name: 'Ana Souza', status: 'COMPLETED' })),
  );
  const { code, stdout, stderr } = await run([...args, '-o', 'json'], {
    env: { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_test_key' },
  });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(JSON.parse(stderr).error).toMatchObject({ code: error, hint: expect.stringContaining(line) });
  expect(server.received.map(({ method }) => method)).toEqual(['GET']);
});
