/** A replay of an event that a listener still owes to the application. */
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { startApplication } from '../../../support/application.ts';
import { deliver, eventBody } from '../../../support/delivery.ts';
import { homeWithSecret, listen } from '../../../support/listen.ts';
import { noSignals } from '../../../support/platform.ts';
import { run } from '../../../support/run.ts';

/** An event that could not be forwarded to its application; `other` is another place that may take it. */
async function owed() {
  const home = homeWithSecret();
  const [application, other] = await Promise.all([startApplication(), startApplication()]);
  const args = ['--port', '0', '--secret-file', `${home}/secret`, '-f', String(application.port)];
  await application.down();
  const first = await listen(home, args);
  // Then it does not try to forward the event: an attempt would show where it is owed.
  while (!first.stderr().includes('is not answering')) await once(first.child.stderr ?? first.child, 'data');
  await deliver(first.url, eventBody('evt_1'));
  await first.stop();
  const replay = ['webhook', 'replay', 'evt_1', '-f', String(other.port), '--secret-file', `${home}/secret`];
  /** The application is back, and gets it from the next listener. */
  const settle = async () => {
    await application.up();
    const second = await listen(home, args);
    await application.untilTaken(['evt_1']);
    await second.stop();
    await application.close();
  };
  return { home, other, replay, settle };
}

it('leaves it owed, to where it was owed, when the replay is in vain', async () => {
  const { home, other, replay, settle } = await owed();
  other.answer = 500;
  expect((await run(replay, { home })).code).toBe(83);
  const { stdout } = await run(['webhook', 'inbox', '-o', 'json'], { home });
  expect(JSON.parse(stdout)).toMatchObject([{ state: 'WAITING', target: null, attempts: 1, status: 500 }]);
  await settle();
  expect(other.received).toHaveLength(1);
  await other.close();
});

it('leaves it owed when another place takes it, and says so', async () => {
  const { home, other, replay, settle } = await owed();
  const { code, stderr } = await run(replay, { home });
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('still forwarded there'),
  });
  expect(other.received).toHaveLength(1);
  await settle();
  expect(other.received).toHaveLength(1);
  await other.close();
});

it('leaves it owed when a second replay, without an address, goes once more where the first went', async () => {
  const { home, other, replay, settle } = await owed();
  other.answer = 500;
  expect((await run(replay, { home })).code).toBe(83);
  other.answer = 200;
  const again = ['webhook', 'replay', 'evt_1', '--secret-file', `${home}/secret`];
  expect(await run(again, { home })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('still forwarded there'),
  });
  await settle();
  expect(other.received).toHaveLength(2);
  await other.close();
});

it.skipIf(noSignals !== null).each([[[]], [['-f', 'the application']]])(
  'is settled where the application takes it that it is owed to (%j)',
  async (to) => {
    const home = homeWithSecret();
    const application = await startApplication();
    const hooks = `${application.port}/hooks`;
    const secret = ['--secret-file', `${home}/secret`];
    application.answer = 500;
    const first = await listen(home, ['--port', '0', ...secret, '-f', hooks]);
    await deliver(first.url, eventBody('evt_1'));
    await application.until(1);
    await first.stop();
    application.answer = 200;
    const flags = to.map((word) => (word === '-f' ? word : hooks));
    const { code, stdout } = await run(['webhook', 'replay', 'evt_1', ...flags, ...secret, '-o', 'json'], {
      home,
    });
    expect({ code, replayed: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      replayed: [{ id: 'evt_1', state: 'DELIVERED' }],
    });
    const second = await listen(home, ['--port', '0', ...secret, '-f', hooks]);
    expect(second.ready).toMatchObject({ waiting: 0 });
    await second.stop();
    await application.close();
  },
);

it('keeps an edited copy under the id that it was given', async () => {
  const home = homeWithSecret();
  const application = await startApplication();
  const secret = ['--secret-file', `${home}/secret`];
  const first = await listen(home, ['--port', '0', ...secret]);
  await deliver(first.url, eventBody('evt_1'));
  await first.stop();
  const edited = ['--set', 'id=evt_other', '-f', String(application.port), '-o', 'json'];
  const { stdout } = await run(['webhook', 'replay', 'evt_1', ...edited, ...secret], { home });
  expect(JSON.parse(stdout)).toMatchObject([{ id: 'evt_other', forward: { status: 200 } }]);
  expect((await run(['webhook', 'show', 'evt_other'], { home })).code).toBe(0);
  await application.close();
});
