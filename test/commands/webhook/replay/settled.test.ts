/** What a replay may change of an event that its application took, that was given up, or that is under way. */
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { systemClock } from '../../../../src/clock.ts';
import { openInbox } from '../../../../src/inbox/open.ts';
import { type Application, startApplication } from '../../../support/application.ts';
import { deliver, eventBody } from '../../../support/delivery.ts';
import { homeWithSecret, listen } from '../../../support/listen.ts';
import { alwaysAnswering } from '../../../support/receiver.ts';
import { run, start } from '../../../support/run.ts';

const withSecret = (home: string) => ['--secret-file', `${home}/secret`];
const replayTo = (home: string, port: number | string) => [
  ...['webhook', 'replay', 'evt_1', '-f', String(port)],
  ...withSecret(home),
];
const listenTo = (home: string, port: number | string, more: string[] = []) =>
  listen(home, ['--port', '0', '-f', String(port), ...withSecret(home), ...more]);
const entry = async (home: string) => {
  const { stdout } = await run(['webhook', 'inbox', '-o', 'json'], { home });
  return (JSON.parse(stdout) as Record<string, unknown>[])[0];
};
const attempts = async (home: string) => {
  const { stdout } = await run(['webhook', 'show', 'evt_1', '-o', 'json'], { home });
  return (JSON.parse(stdout) as { forwards: unknown[] }).forwards;
};

/** One event that a listener forwarded once, with that answer. */
async function forwarded(answer: number) {
  const home = homeWithSecret();
  const [application, other] = await Promise.all([startApplication(), startApplication()]);
  application.answer = answer;
  const listener = await listenTo(home, application.port, ['--attempts', '1']);
  await deliver(listener.url, eventBody('evt_1'));
  await listener.line(({ type }) => type === 'event');
  await listener.stop();
  const close = () => Promise.all([application.close(), other.close()]);
  return { home, application, other, close };
}

/** The service sends it again; answers what the listener told of that. */
async function repeated(home: string, application: Application) {
  const listener = await listenTo(home, application.port);
  await deliver(listener.url, eventBody('evt_1'));
  const line = await listener.line(({ type }) => type === 'event');
  if (line.state === 'WAITING') await application.untilTaken(['evt_1']);
  await listener.stop();
  return line;
}

it('leaves given up what another place took, says so, and a repeat of the service is forwarded', async () => {
  const { home, application, other, close } = await forwarded(500);
  const { code, stderr } = await run(replayTo(home, other.port), { home });
  expect({ code, taken: other.received.length }).toEqual({ code: 0, taken: 1 });
  expect(stderr).toContain('1 event that was given up');
  expect(await entry(home)).toMatchObject({ state: 'GIVEN_UP', attempts: 2, status: 500 });
  const failed = await run(['webhook', 'replay', '--failed', '--dry-run'], { home });
  expect(failed.stderr).toContain('Would forward evt_1');
  application.answer = 200;
  expect(await repeated(home, application)).toMatchObject({ duplicate: true, state: 'WAITING' });
  expect(application.taken.has('evt_1')).toBe(true);
  await close();
});

it('takes no more of what failed than the last ones, given up or waiting', async () => {
  const { home, application, close } = await forwarded(500);
  await application.down();
  const listener = await listenTo(home, application.port);
  await deliver(listener.url, eventBody('evt_2'));
  await listener.line(({ type }) => type === 'event');
  await listener.stop();
  const chosen = async (...flags: string[]) => {
    const args = ['webhook', 'replay', '--failed', ...flags, '-f', String(application.port), '--dry-run'];
    const { stderr } = await run(args, { home });
    return [...stderr.matchAll(/Would forward (\w+) /g)].map(([, id]) => id);
  };
  expect(await chosen()).toEqual(['evt_1', 'evt_2']);
  expect(await chosen('--last', '1')).toEqual(['evt_2']);
  await application.up();
  await close();
});

it('asks again before it goes to another machine, where an event went once', async () => {
  const { home, close } = await forwarded(200);
  const inbox = await openInbox({ url: `${home}/.local/state/pixctl/inbox.sqlite`, clock: systemClock });
  const [event] = await inbox.find('evt_1');
  const url = 'https://staging.example.com/hook';
  await inbox.record({
    ...{ key: event?.key ?? '', number: 2, url, startedAt: 0, ms: 1, status: 200, error: null, answer: null },
    ...{ signature: 'fresh', state: 'DELIVERED', nextAt: null, failures: 0 },
  });
  await inbox.close();
  const replay = ['webhook', 'replay', 'evt_1', '--dry-run'];
  const told = await run(replay, { home });
  expect(told.code).toBe(64);
  expect(told.stderr).toContain('staging.example.com is not this machine, so nothing is forwarded there.');
  const allowed = await run([...replay, '--allow-remote'], { home });
  expect(allowed).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`Would forward evt_1 to ${url}.`),
  });
  await close();
});

it('goes to the application again, not to the other place, when no address is given', async () => {
  const { home, application, other, close } = await forwarded(500);
  expect((await run(replayTo(home, other.port), { home })).code).toBe(0);
  application.answer = 200;
  expect((await run(['webhook', 'replay', '--failed', ...withSecret(home)], { home })).code).toBe(0);
  expect([application.received.length, other.received.length]).toEqual([2, 1]);
  expect(await entry(home)).toMatchObject({ state: 'DELIVERED', status: 200 });
  await close();
});

it('keeps delivered what the application took, when a replay is in vain: a repeat is not forwarded', async () => {
  const { home, application, other, close } = await forwarded(200);
  other.answer = 500;
  const { code, stderr } = await run(replayTo(home, other.port), { home });
  expect({ code, stderr }).toMatchObject({
    code: 83,
    stderr: expect.not.stringContaining('replay --failed'),
  });
  application.answer = 500;
  expect((await run(replayTo(home, application.port), { home })).code).toBe(83);
  expect(await entry(home)).toMatchObject({ state: 'DELIVERED', attempts: 3, status: 200 });
  expect(await repeated(home, application)).toMatchObject({ duplicate: true, state: 'DELIVERED' });
  expect(application.received).toHaveLength(2);
  await close();
});

it('leaves an event as it was when the replay is killed under way', async () => {
  const { home, application, other, close } = await forwarded(200);
  other.answer = 'hang';
  const child = start(replayTo(home, other.port), { home });
  await other.until(1);
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(await entry(home)).toMatchObject({ state: 'DELIVERED', target: null });
  const next = await listenTo(home, application.port);
  expect(next.ready).toMatchObject({ waiting: 0 });
  await next.stop();
  await close();
});

it('disturbs no attempt that a listener has under way, and both are in the history', async () => {
  const home = homeWithSecret();
  const answer = Promise.withResolvers<number>();
  const application = await alwaysAnswering(() => answer.promise);
  const other = await startApplication();
  const listener = await listenTo(home, application.url);
  await deliver(listener.url, eventBody('evt_1'));
  await expect.poll(() => application.received.length).toBe(1);
  expect((await run(replayTo(home, other.port), { home })).code).toBe(0);
  const second = await listenTo(home, application.url);
  await deliver(second.url, eventBody('evt_2'));
  await expect.poll(() => application.received.length).toBe(2);
  answer.resolve(200);
  await listener.line(({ type }) => type === 'event');
  await listener.stop();
  await second.stop();
  expect(application.received).toHaveLength(2);
  expect(await attempts(home)).toMatchObject([
    { number: 1, url: `http://localhost:${other.port}/`, status: 200 },
    { number: 2, url: application.url, status: 200 },
  ]);
  const { stdout } = await run(['webhook', 'inbox', '--status', 'delivered', '-o', 'json'], { home });
  expect(JSON.parse(stdout)).toHaveLength(2);
  await application.close();
  await other.close();
});

it('that ends after the listener was answered with 200 leaves it delivered', async () => {
  const home = homeWithSecret();
  const answers = { application: Promise.withResolvers<number>(), other: Promise.withResolvers<number>() };
  const application = await alwaysAnswering(() => answers.application.promise);
  const other = await alwaysAnswering(() => answers.other.promise);
  const listener = await listenTo(home, application.url);
  await deliver(listener.url, eventBody('evt_1'));
  await expect.poll(() => application.received.length).toBe(1);
  const replaying = run([...replayTo(home, other.url), '-o', 'json'], { home });
  await expect.poll(() => other.received.length).toBe(1);
  answers.application.resolve(200);
  await listener.line(({ type }) => type === 'event');
  answers.other.resolve(500);
  expect(JSON.parse((await replaying).stdout)).toMatchObject([{ state: 'DELIVERED', attempts: 2 }]);
  expect(await entry(home)).toMatchObject({ state: 'DELIVERED', status: 200, attempts: 2 });
  await listener.stop();
  expect(application.received).toHaveLength(1);
  await application.close();
  await other.close();
});
