/** A process that is suspended until its time is up: the answer that came meanwhile is heard all the same. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { hostileServer, json, someCharge, success } from '../support/hostile-server.ts';
import { start } from '../support/run.ts';

it.skipIf(process.platform === 'win32')('is not reported as lost', async () => {
  const answered = Promise.withResolvers<void>();
  await using server = await hostileServer((response) => {
    child.kill('SIGSTOP');
    json(response, 201, success(someCharge));
    answered.resolve();
  });
  const child = start(['charge', 'create', '--amount', '1050', '--timeout', '2s'], {
    env: { PIXCTL_BASE_URL: server.url, PIXCTL_API_KEY: 'svc_x' },
  });
  await answered.promise;
  await sleep(2_500);
  child.kill('SIGCONT');
  expect(await once(child, 'close')).toEqual([0, null]);
});
