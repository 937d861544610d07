/** What `--exit-after` finds in the inbox of the first attempts that others have made. */
import { expect, it } from 'vitest';
import { systemClock } from '../../../../src/clock.ts';
import { createTally } from '../../../../src/commands/webhook/listen/tally.ts';
import { createLook, watchOtherListeners } from '../../../../src/commands/webhook/listen/tried-elsewhere.ts';
import type { ForwardOutcome, ForwardState, Inbox, NewDelivery } from '../../../../src/inbox/inbox.ts';
import { openInbox } from '../../../../src/inbox/open.ts';
import { stoppedUnanswered } from '../../../../src/listener/posting/exchange.ts';
import type { EventReport } from '../../../../src/listener/report.ts';
import { inboxFile } from '../../../support/listener.ts';

const [one, two] = ['http://localhost:3000/', 'http://localhost:4000/'];
const clock = systemClock;

const delivery = (eventId: string, targets: readonly string[]): NewDelivery => {
  const [target, ...others] = targets;
  return {
    ...{
      source: 'signer-1',
      eventId,
      event: 'CHARGE_PAID',
      headers: [],
      origin: 'delivery',
      forward: 'leave',
    },
    body: new TextEncoder().encode('{}'),
    ...(target === undefined ? {} : { target }),
    ...(others.length === 0 ? {} : { further: others.map((url) => ({ target: url, forward: 'leave' })) }),
  };
};

const queued = (key: string, more: Partial<EventReport> = {}): EventReport => ({
  ...{ type: 'event', id: key, event: 'CHARGE_PAID', verified: true, duplicate: false, forward: null },
  ...{ state: 'WAITING', amount: null, status: null, key, ...more },
});

/** A run that counts to the number of these events, all of them queued. */
async function setup(events: readonly (readonly string[])[]) {
  const inbox = await openInbox({ url: inboxFile(), clock });
  const trouble: unknown[] = [];
  const ended = new AbortController();
  let reached = 0;
  const tally = createTally(events.length, () => expect.unreachable('the look tells it'));
  const stored = await Promise.all(events.map((targets, at) => inbox.add(delivery(`evt_${at}`, targets))));
  const keys = stored.map(({ key }) => key);
  for (const [at, targets] of events.entries())
    tally.note(queued(keys[at] as string, targets.length > 1 ? { targets } : {}));
  const lookIn = (asked: Pick<Inbox, 'find' | 'attempts'>) =>
    createLook(
      { clock, inbox: asked, tally, onTrouble: (it) => trouble.push(it), onReached: () => void reached++ },
      ended.signal,
    );
  return { inbox, tally, keys, trouble, ended, lookIn, look: lookIn(inbox), reached: () => reached };
}

const attempt = { url: one, startedAt: 1, ms: 1, error: null, answer: null, signature: 'fresh' } as const;
const outcome = (key: string, number: number, status: number, state: ForwardState): ForwardOutcome => ({
  ...{ ...attempt, key, number, status, state, nextAt: null, failures: 0 },
});
const counts = ({ attempted, notAccepted }: { attempted: number; notAccepted: number }) => [
  attempted,
  notAccepted,
];

it('a replay to another place is no attempt, whatever was answered; what a listener tried first is', async () => {
  const { inbox, tally, keys, look, reached } = await setup([[]]);
  const [key = ''] = keys;
  await look();
  await inbox.recordReplay({ ...attempt, key, status: 200, elsewhere: true }, (state) => state);
  await inbox.recordReplay({ ...attempt, key, status: 500, elsewhere: true }, (state) => state);
  await look();
  expect([...counts(tally), reached()]).toEqual([0, 0, 0]);
  await inbox.record(outcome(key, 3, 500, 'WAITING'));
  await inbox.record(outcome(key, 4, 200, 'DELIVERED'));
  await look();
  expect([...counts(tally), reached()]).toEqual([1, 1, 1]);
  await inbox.close();
});

it('an attempt that was cut off is none: the application may have taken it, and it is tried again', async () => {
  const { inbox, tally, keys, look, reached } = await setup([[]]);
  const [key = ''] = keys;
  await inbox.record({ ...outcome(key, 1, 0, 'WAITING'), status: null, error: stoppedUnanswered });
  await look();
  expect([...counts(tally), reached()]).toEqual([0, 0, 0]);
  await inbox.record(outcome(key, 2, 200, 'DELIVERED'));
  await look();
  expect([...counts(tally), reached()]).toEqual([1, 0, 1]);
  await inbox.close();
});

it('one look finds all of them, however many', async () => {
  const { inbox, tally, keys, look, reached } = await setup(Array.from({ length: 700 }, () => []));
  await Promise.all(keys.map((key) => inbox.record(outcome(key, 1, 200, 'DELIVERED'))));
  await look();
  expect([...counts(tally), reached()]).toEqual([700, 0, 1]);
  await inbox.close();
});

it('a look ends where very many are untried: the run goes on until they are tried', async () => {
  const { inbox, keys, lookIn } = await setup(Array.from({ length: 700 }, () => []));
  const asked: string[] = [];
  const find = (key: string) => {
    asked.push(key);
    return inbox.find(key);
  };
  await lookIn({ ...inbox, find })();
  expect(asked).toEqual(keys.slice(0, 500));
  await inbox.close();
});

it('what was let go at one of its applications is waited for no more', async () => {
  const { inbox, tally, keys, look, reached } = await setup([
    [one, two],
    [one, two],
  ]);
  await inbox.forgetTarget({ target: two, before: Number.MAX_SAFE_INTEGER });
  await look();
  expect(counts(tally)).toEqual([0, 0]);
  for (const key of keys) await inbox.record(outcome(key, 1, 200, 'DELIVERED'));
  await look();
  expect([...counts(tally), reached()]).toEqual([2, 2, 1]);
  await inbox.close();
});

it.each([[[one]], [[one, two]]])('nor is what was let go at all of them: %s', async (...targets) => {
  const { inbox, tally, look, reached } = await setup([targets.flat()]);
  for (const target of targets.flat()) await inbox.forgetTarget({ target, before: Number.MAX_SAFE_INTEGER });
  await look();
  expect([...counts(tally), reached()]).toEqual([1, 1, 1]);
  await inbox.close();
});

it('what --ack app is putting to the application is left to it; polled events go through the queue', async () => {
  const { inbox, tally } = await setup([[], []]);
  const other = createTally(2, () => {});
  const first = { forward: { status: 200, ms: 1 }, state: 'DELIVERED', target: one } as const;
  other.note(queued('a', { targets: [one, two], ...first, relayed: true }));
  other.note(queued('b', { synthetic: 'poll' }));
  expect([...other.untried()].map(({ key }) => key)).toEqual(['b']);
  expect([...tally.untried()]).toHaveLength(2);
  await inbox.close();
});

it('nothing is asked or noted once the end has begun', async () => {
  const { inbox, tally, keys, trouble, ended, lookIn, reached } = await setup([[], []]);
  for (const key of keys) await inbox.record(outcome(key, 1, 200, 'DELIVERED'));
  const failing = lookIn({ ...inbox, find: () => Promise.reject(new Error('the pool is closed')) });
  await failing();
  expect(trouble).toEqual([new Error('the pool is closed')]);
  let asked = 0;
  const ending = lookIn({
    attempts: inbox.attempts,
    find(key) {
      asked += 1;
      ended.abort();
      return inbox.find(key);
    },
  });
  await ending();
  await ending();
  await failing();
  await watchOtherListeners(ending, { clock }, ended.signal);
  expect([asked, trouble.length, ...counts(tally), reached()]).toEqual([1, 1, 0, 0, 0]);
  await inbox.close();
});

it('nor is it complained of what failed because the end closed the inbox under a look', async () => {
  const { inbox, trouble, ended, lookIn } = await setup([[]]);
  const find = () => {
    ended.abort();
    return Promise.reject(new Error('the pool is closed'));
  };
  await lookIn({ ...inbox, find })();
  expect(trouble).toEqual([]);
  await inbox.close();
});
