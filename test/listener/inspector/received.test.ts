/** One received event on the listener's page: the real program, its inbox and an application. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { visit } from '../../sandbox/page/visitor.ts';
import { startApplication } from '../../support/application.ts';
import { deliver, eventBody } from '../../support/delivery.ts';
import { homeWithSecret, listen } from '../../support/listen.ts';
import { startReceiver } from '../../support/receiver.ts';

it('shows the newest attempts, and tells how many older ones there are', async () => {
  await using application = await startReceiver();
  const home = homeWithSecret();
  const listener = await listen(home, [
    ...['--ui', '--port', '0', '-f', application.url, '--secret-file', join(home, 'secret')],
  ]);
  try {
    await deliver(listener.url, eventBody('evt_1'));
    await application.arrived(1);
    const page = await visit({ uiUrl: String(listener.ready.uiUrl) });
    const path = /events\/\w+/.exec((await page.see('inbox')).text)?.[0] ?? '';
    const replay = async (times: number) => {
      for (let n = 0; n < times; n += 1) await page.submit(`${path}/replay`, { how: 'resigned' });
    };
    await replay(49);
    const whole = (await page.see(path)).text;
    expect(whole.match(/data-testid="attempt"/g)?.length).toBe(50);
    expect(whole).not.toContain('older one');
    await replay(1);
    expect((await page.see(path)).text).toContain('Its newest 50 attempts are shown; there is 1 older one.');
    await replay(1);
    const { text } = await page.see(path);
    expect(text).toContain('Its newest 50 attempts are shown; there are 2 older ones.');
    expect(text.match(/data-testid="attempt"/g)?.length).toBe(50);
    expect(text).toContain('attempt 52<');
    expect(text).not.toContain('attempt 2<');
  } finally {
    await listener.stop();
  }
});

it('shows what became of an event at each of two applications, and replays it to both', async () => {
  await using good = await startReceiver();
  await using bad = await startReceiver(422, 422, 200);
  const home = homeWithSecret();
  const listener = await listen(home, [
    ...['--ui', '--port', '0', '-f', good.url, '-f', bad.url, '--attempts', '2'],
    ...['--secret-file', join(home, 'secret')],
  ]);
  try {
    await deliver(listener.url, eventBody('evt_1'));
    await listener.line(({ state }) => state === 'GIVEN_UP');
    const page = await visit({ uiUrl: String(listener.ready.uiUrl) });
    const inbox = (await page.see('inbox')).text;
    const [to, too] = [good.url, bad.url].map((url) => url.replace('http://', ''));
    expect(inbox.match(/events\/\w+"/g)).toHaveLength(1);
    expect(inbox).toContain(`${to}: HTTP 200, ${too}: HTTP 422`);
    const path = /events\/\w+/.exec(inbox)?.[0] ?? '';
    const { text } = await page.see(path);
    expect(text.match(/data-testid="attempt"/g)?.length).toBe(3);
    expect(text).toContain(`${to}: Your application accepted it with HTTP 200.`);
    expect(text).toContain(`${too}: Last: HTTP 422. No further attempt is planned`);
    await page.submit(`${path}/replay`, { how: 'resigned' });
    expect([good.received.length, bad.received.length]).toEqual([2, 3]);
    expect((await page.see(path)).text).toContain(`${too}: Your application accepted it with HTTP 200.`);
  } finally {
    await listener.stop();
  }
});

it('says that what is owed to two applications goes on in a run that forwards only other events', async () => {
  await using good = await startReceiver();
  await using bad = await startReceiver();
  bad.otherwise = 503;
  const home = homeWithSecret();
  const flags = ['--port', '0', '--secret-file', join(home, 'secret')];
  const first = await listen(home, [...flags, '-f', good.url, '-f', bad.url]);
  await deliver(first.url, eventBody('evt_1'));
  await first.line(({ target }) => target === bad.url);
  await first.stop();
  const second = await listen(home, [...flags, '--ui', '--route', `REFUND_COMPLETED=${good.url}`]);
  try {
    const page = await visit({ uiUrl: String(second.ready.uiUrl) });
    const path = /events\/\w+/.exec((await page.see('inbox')).text)?.[0] ?? '';
    expect((await page.see(path)).text).toContain('It will be forwarded to your application again.');
  } finally {
    await second.stop();
  }
});

it.each([
  ['a page of --ack app, of what one without an application stored', 'app', false],
  ['a page of --ack app, of what is being put to the application', 'app', true],
  ['a page of --ack store, of what --ack app is putting to the application', 'store', true],
] as const)('says only what it knows: %s', async (_, ack, isPut) => {
  const application = await startApplication();
  application.answer = 'hang';
  const home = homeWithSecret();
  const flags = ['--ui', '--port', '0', '--secret-file', join(home, 'secret')];
  const to = ['-f', String(application.port), '--ack'];
  const first = await listen(home, isPut ? [...flags, ...to, 'app'] : flags);
  const delivered = deliver(first.url, eventBody('evt_1')).catch(() => {});
  await (isPut ? application.until(1) : delivered);
  const second = await listen(home, [...flags, ...to, ack]);
  try {
    const page = await visit({ uiUrl: String(second.ready.uiUrl) });
    const path = /events\/\w+/.exec((await page.see('inbox')).text)?.[0] ?? '';
    expect((await page.see(path)).text).toContain('It is stored. No answer of an application is recorded.');
  } finally {
    await application.close();
    await second.stop();
    await first.stop();
  }
});
