/** `--timeout` bounds a whole wait, whatever the service asks for in the middle of it. */
import { expect, it } from 'vitest';
import { type Answer, hostileServer, json, someCharge, success } from '../support/hostile-server.ts';
import { emptyHome, run } from '../support/run.ts';

const pending = { amount: 1050, fee: 100, pixKey: 'a@example.com', pixKeyType: 'EMAIL', status: 'PENDING' };

const env = (url: string) => ({ PIXCTL_BASE_URL: url, PIXCTL_API_KEY: 'svc_canary' });
const slowDown: Answer = (response) => {
  response.setHeader('retry-after', '9');
  json(response, 429, { error: 'RATE_LIMITED', message: 'slow down', success: false });
};

it.each([
  [['charge', 'wait', 'chg_1'], { ...someCharge, status: 'PENDING' }],
  [['withdrawal', 'wait', 'wd_1'], { ...pending, id: 'wd_1' }],
] as const)('%s ends in time where the service asks to be left alone for longer', async (args, first) => {
  let asked = 0;
  await using server = await hostileServer((response, request) =>
    asked++ === 0 ? json(response, 200, success(first)) : slowDown(response, request),
  );
  expect((await run([...args, '--timeout', '1s'], { env: env(server.url) })).code).toBe(82);
  // A look by itself would come again three times, each after 9 seconds.
  expect(asked).toBeLessThanOrEqual(3);
});

it.each(['charge', 'withdrawal'])(
  '%s wait repeats its first look no later than that, either',
  async (noun) => {
    await using server = await hostileServer(slowDown);
    const ended = await run([noun, 'wait', 'id_1', '--timeout', '1s'], { env: env(server.url) });
    expect({ code: ended.code, asked: server.received.length }).toEqual({ code: 75, asked: 1 });
  },
);

it.concurrent.each([
  [['charge', 'wait', 'chg_1'], { ...someCharge, status: 'PENDING' }, 'PAID'],
  [['withdrawal', 'wait', 'wd_1'], { ...pending, id: 'wd_1' }, 'COMPLETED'],
] as const)(
  '%s gives a look that hangs no more time than the setting, and looks again',
  async (args, first, status) => {
    let asked = 0;
    await using server = await hostileServer((response) => {
      asked += 1;
      if (asked !== 2) json(response, 200, success(asked === 1 ? first : { ...first, status }));
    });
    const home = emptyHome();
    expect((await run(['config', 'set', 'timeout', '3s'], { home })).code).toBe(0);
    const ended = await run([...args, '--timeout', '100s'], { home, env: env(server.url) });
    expect([ended.code, asked > 2]).toEqual([0, true]);
  },
);
