/** `--timeout` bounds a whole wait, whatever the service asks for in the middle of it. */
import { expect, it } from 'vitest';
import { hostileServer, json, someCharge, success } from '../support/hostile-server.ts';
import { run } from '../support/run.ts';

const pending = { amount: 1050, fee: 100, pixKey: 'a@example.com', pixKeyType: 'EMAIL', status: 'PENDING' };

it.each([
  [['charge', 'wait', 'chg_1'], { ...someCharge, status: 'PENDING' }],
  [['withdrawal', 'wait', 'wd_1'], { ...pending, id: 'wd_1' }],
] as const)('%s ends in time where the service asks to be left alone for longer', async (args, first) => {
  let asked = 0;
  await using server = await hostileServer((response) => {
    if (asked++ === 0) return json(response, 200, success(first));
    response.setHeader('retry-after', '9');
    json(response, 429, { error: 'RATE_LIMITED', message: 'slow down', success: false });
  });
  const env = { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_canary' };
  expect((await run([...args, '--timeout', '1s'], { env })).code).toBe(82);
  // A look by itself would come again three times, each after 9 seconds.
  expect(asked).toBeLessThanOrEqual(3);
});
