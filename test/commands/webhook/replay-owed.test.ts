/** A replay of an event that a listener still owes to the application. */
import { expect, it } from 'vitest';
import { startApplication } from '../../support/application.ts';
import { deliver, eventBody } from '../../support/delivery.ts';
import { homeWithSecret, listen } from '../../support/listen.ts';
import { run } from '../../support/run.ts';

it('leaves it owed, to where it was owed, when the replay is in vain', async () => {
  const home = homeWithSecret();
  const [application, other] = await Promise.all([startApplication(), startApplication()]);
  const args = ['--port', '0', '--secret-file', `${home}/secret`, '-f', String(application.port)];
  await application.down();
  const first = await listen(home, args);
  await deliver(first.url, eventBody('evt_1'));
  await first.stop();
  other.answer = 500;
  const replay = ['webhook', 'replay', 'evt_1', '-f', String(other.port), '--secret-file', `${home}/secret`];
  expect((await run(replay, { home })).code).toBe(83);
  const { stdout } = await run(['webhook', 'inbox', '-o', 'json'], { home });
  expect(JSON.parse(stdout)).toMatchObject([{ state: 'WAITING', target: null, attempts: 1, status: 500 }]);
  await application.up();
  const second = await listen(home, args);
  await application.untilTaken(['evt_1']);
  await second.stop();
  expect(other.received).toHaveLength(1);
  await Promise.all([application.close(), other.close()]);
});
