/** `webhook listen` with two applications, and what inbox, show and replay make of its events. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../../src/clock.ts';
import { entryView } from '../../../../src/commands/webhook/view.ts';
import { openInbox } from '../../../../src/inbox/open.ts';
import { type Application, startApplication } from '../../../support/application.ts';
import { deliver, eventBody } from '../../../support/delivery.ts';
import { homeWithSecret, type Listening, listen } from '../../../support/listen.ts';
import { run } from '../../../support/run.ts';

let good: Application;
let bad: Application;
let home: string;
beforeEach(async () => {
  [good, bad] = [await startApplication(), await startApplication()];
  home = homeWithSecret();
});
afterEach(async () => {
  await good.close();
  await bad.close();
});

const listenTo = (...args: string[]): Promise<Listening> =>
  listen(home, [
    ...['--secret-file', `${home}/secret`, '--port', '0', '--attempts', '1'],
    ...['-f', good.url, '--forward-to', bad.url, ...args],
  ]);

const webhook = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(['webhook', ...args], { home });
  return { code, stdout, stderr };
};

const parsed = async (...args: string[]) => JSON.parse((await webhook(...args, '-o', 'json')).stdout);

it('one that refused an event gets it by replay --failed, and the one that has it does not', async () => {
  bad.answer = 503;
  const listening = await listenTo('--exit-after', '1');
  expect(listening.ready.forwardTo).toEqual([good.url, bad.url]);
  await deliver(listening.url, eventBody('evt_1'));
  expect(await listening.exited).toBe(83);
  const told = new Map(listening.lines.slice(1).map(({ target, forward }) => [target, forward]));
  expect(told.get(good.url)).toMatchObject({ status: 200 });
  expect(told.get(bad.url)).toMatchObject({ status: 503 });
  expect(listening.lines.slice(1).map(({ type }) => type)).toEqual(['event', 'forward']);

  const [entry] = await parsed('inbox');
  expect(entry).toMatchObject({
    ...{ id: 'evt_1', state: 'GIVEN_UP', target: null, status: 503, attempts: 2, nextAt: null },
    targets: [
      { target: good.url, state: 'DELIVERED', attempts: 1, status: 200, nextAt: null },
      { target: bad.url, state: 'GIVEN_UP', attempts: 1, status: 503, nextAt: null },
    ],
  });
  expect(await parsed('inbox', '--status', 'delivered')).toEqual([]);
  expect((await parsed('show', 'evt_1')).forwards.map(({ url }: { url: string }) => url)).toEqual([
    good.url,
    bad.url,
  ]);
  expect((await webhook('show', 'evt_1')).stdout).toContain(`  ${bad.url}  given up\n`);
  const fields = await webhook('inbox', '-o', 'csv', '--fields', 'id,target');
  expect(fields.stdout).toContain(`evt_1,${good.url} ${bad.url}`);

  bad.answer = 200;
  const replayed = await webhook('replay', '--failed', '-o', 'ndjson');
  expect(replayed.code).toBe(0);
  expect(JSON.parse(replayed.stdout)).toMatchObject({ url: bad.url, state: 'DELIVERED', key: entry.key });
  expect([good.received.length, bad.received.length]).toEqual([1, 2]);
  expect((await parsed('inbox', '--status', 'delivered'))[0]).toMatchObject({ id: 'evt_1', attempts: 3 });
});

it('a replay goes to both, or to each -f, and changes nothing elsewhere', async () => {
  const listening = await listenTo('--exit-after', '1');
  await deliver(listening.url, eventBody('evt_1'));
  expect(await listening.exited).toBe(0);
  const urls = async (...args: string[]) => {
    const { code, stdout } = await webhook('replay', 'evt_1', '-o', 'ndjson', ...args);
    const lines = stdout.trim().split('\n');
    return [code, new Set(lines.map((line) => JSON.parse(line).url))];
  };
  expect(await urls()).toEqual([0, new Set([good.url, bad.url])]);
  const other = await startApplication();
  expect(await urls('-f', other.url, '-f', bad.url)).toEqual([0, new Set([other.url, bad.url])]);
  await other.close();
  expect([good.received.length, bad.received.length, other.received.length]).toEqual([2, 3, 1]);
  const [entry] = await parsed('inbox');
  expect(entry.targets.map(({ attempts }: { attempts: number }) => attempts)).toEqual([3, 3]);
});

it('an edited copy goes to both as well', async () => {
  const listening = await listenTo('--exit-after', '1');
  await deliver(listening.url, eventBody('evt_1'));
  await listening.exited;
  const args = ['--set', 'data.amount=1', '--secret-file', `${home}/secret`];
  expect((await webhook('replay', 'evt_1', ...args)).code).toBe(0);
  for (const one of [good, bad])
    expect(JSON.parse(String(one.received.at(-1)?.body))).toMatchObject({ data: { amount: 1 } });
  expect((await parsed('inbox')).map(({ origin }: { origin: string }) => origin)).toEqual([
    'edited',
    'edited',
    'delivery',
  ]);
});

it('--exit-after waits for the first attempt at both', async () => {
  bad.answer = 'hang';
  const listening = await listenTo('--exit-after', '1', '--forward-timeout', '1s');
  await deliver(listening.url, eventBody('evt_1'));
  expect(await listening.exited).toBe(83);
  const [, first, second] = listening.lines;
  expect(first).toMatchObject({ target: good.url, state: 'DELIVERED' });
  expect(second).toMatchObject({
    target: bad.url,
    state: 'GIVEN_UP',
    forward: { error: expect.any(String) },
  });
  expect(second).not.toHaveProperty('cutOff');
});

it('what each is still owed is counted at the end and at the next beginning', async () => {
  await bad.down();
  const first = await listenTo();
  await deliver(first.url, eventBody('evt_1'));
  await deliver(first.url, eventBody('evt_2'));
  await good.untilTaken(['evt_1', 'evt_2']);
  const told = (id: string) => first.line((line) => line.id === id && line.target === good.url);
  await Promise.all([told('evt_1'), told('evt_2')]);
  expect(await first.stop()).toBe(130);
  expect(first.stderr()).toContain(
    '2 forwards not yet accepted by your applications; the next webhook listen makes them.',
  );
  const second = await listenTo();
  expect(second.ready.waiting).toBe(2);
  expect(await second.stop()).toBe(130);
  expect(second.stderr()).toContain('2 forwards from earlier runs are still to be made; forwarding now.');
});

it('one that a later run does not name gets what it is owed, although the one that it names is down', async () => {
  bad.answer = 503;
  const secret = ['--secret-file', `${home}/secret`, '--port', '0'];
  const first = await listen(home, [...secret, '-f', good.url, '-f', bad.url]);
  await deliver(first.url, eventBody('evt_1'));
  await first.line(({ target }) => target === bad.url);
  await first.stop();
  await good.down();
  bad.answer = 200;
  // Later than the next run begins: what is due then would be claimed before it is known that the other is down.
  const inbox = await openInbox({ url: `${home}/.local/state/pixctl/inbox.sqlite`, clock: systemClock });
  const [event] = await inbox.find('evt_1');
  await inbox.postpone(String(event?.targets?.[1]?.key), Date.now() + 3_000);
  await inbox.close();
  const second = await listen(home, [...secret, '-f', good.url]);
  await bad.untilTaken(['evt_1']);
  await second.stop();
});

it('replay --failed to one of them leaves out what that one has accepted', async () => {
  bad.answer = 503;
  const listening = await listenTo('--exit-after', '1');
  await deliver(listening.url, eventBody('evt_1'));
  await listening.exited;
  bad.answer = 200;
  const nothing = await webhook('replay', '--failed', '-f', good.url);
  expect(nothing.stderr).toContain('No event matches. Nothing was sent.');
  const other = await startApplication();
  expect((await webhook('replay', '--failed', '-f', other.url)).code).toBe(0);
  await other.close();
  expect(await parsed('inbox', '--status', 'given-up')).toHaveLength(1);
  expect((await webhook('replay', '--failed', '-f', bad.url)).code).toBe(0);
  expect([good, other, bad].map(({ received }) => received.length)).toEqual([1, 1, 2]);
  expect(await parsed('inbox', '--status', 'delivered')).toHaveLength(1);
});

it('no replay elsewhere settles what --ack app had asked of one that never answered', async () => {
  good.answer = 'hang';
  const listening = await listenTo('--ack', 'app');
  const cut = deliver(listening.url, eventBody('evt_1')).catch(() => null);
  await Promise.all([good.until(1), bad.untilTaken(['evt_1'])]);
  await listening.line((line) => line.target === bad.url);
  await listening.stop('SIGKILL');
  expect(await cut).toBe(null);
  const [kept] = await parsed('inbox');
  const inWords = entryView.columns.find(({ key }) => key === 'state')?.text;
  expect(inWords?.(kept)).toBe('not forwarded (1 of 2)');
  const other = await startApplication();
  const replayed = await webhook('replay', 'evt_1', '-f', other.url);
  await other.close();
  expect(replayed.stderr).toContain('accepted here, and still given up there');
  const [entry] = await parsed('inbox');
  expect(entry.targets.map(({ state }: { state: string }) => state)).toEqual(['GIVEN_UP', 'DELIVERED']);
  good.answer = 200;
  expect((await webhook('replay', '--failed')).code).toBe(0);
  expect([good.received.length, bad.received.length]).toEqual([2, 1]);
});
