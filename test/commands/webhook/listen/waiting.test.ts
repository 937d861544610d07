/** What a listener says is still owed, when it begins and when it ends. */
import { expect, it } from 'vitest';
import {
  countWaiting,
  leftFromEarlierRuns,
  owedInWords,
} from '../../../../src/commands/webhook/listen/waiting.ts';
import type { Inbox, Waiting } from '../../../../src/inbox/inbox.ts';

const [named, dropped] = ['http://localhost:3000/', 'http://localhost:4000/a?b=1&c'];
const count = (
  waiting: readonly Omit<Waiting, 'since'>[],
  all: readonly string[] = [named],
  countWaitingEvents: Inbox['countWaitingEvents'] = async () => 0,
) =>
  countWaiting(
    { countWaiting: async () => waiting.map((each) => ({ ...each, since: 0 })), countWaitingEvents },
    { sources: () => ['own'] },
    { all, isSeveral: all.length > 1 },
  );

it('of one application it counts events, and those of other secrets apart', async () => {
  const waiting = await count([
    { source: 'other', target: null, events: 5 },
    { source: 'own', target: null, events: 1 },
  ]);
  expect(waiting).toEqual({ own: 1, others: 5, countsForwards: false, unnamed: [] });
  expect(leftFromEarlierRuns(waiting, false)).toEqual([
    '1 event from earlier runs is still to be forwarded; forwarding now.',
  ]);
  expect(leftFromEarlierRuns(waiting, true)).toEqual([
    '1 event from earlier runs is still to be forwarded; forwarding now, except what --events or --route leaves out.',
  ]);
  expect(owedInWords(waiting)).toBe(
    '1 event stored and not yet accepted by your application; the next webhook listen forwards it',
  );
});

it('of several it counts what is owed to each, also in a run that names fewer, and names those left out', async () => {
  const rows = [
    { source: 'own', target: named, events: 2 },
    { source: 'own', target: dropped, events: 1 },
    { source: 'other', target: 'http://localhost:5000/', events: 1 },
  ];
  const waiting = await count(rows);
  expect(leftFromEarlierRuns(waiting, false)).toEqual([
    '3 forwards from earlier runs are still to be made; forwarding now.',
    `1 of them goes to ${dropped}, which an earlier run named and this one does not. If that application is gone: pixctl webhook inbox prune --target '4000/a?b=1&c'`,
  ]);
  expect(owedInWords(waiting)).toBe(
    '3 forwards not yet accepted by your applications; the next webhook listen makes them',
  );
  expect((await count(rows, [named, dropped])).unnamed).toEqual([]);
});

it('of other secrets it counts events, not what is owed to each of their applications', async () => {
  const rows = ['http://localhost:5000/', 'http://localhost:6000/'].map((target) => ({
    ...{ source: 'other', target, events: 3 },
  }));
  const asked: unknown[] = [];
  const waiting = await count(
    [...rows, { source: 'own', target: null, events: 1 }],
    [named],
    async (choice) => {
      asked.push(choice);
      return 3;
    },
  );
  expect(waiting).toMatchObject({ own: 1, others: 3 });
  expect(asked).toEqual([{ exceptSources: ['own'] }]);
});

it('says nothing of nothing', async () => {
  const waiting = await count([]);
  expect(leftFromEarlierRuns(waiting, false)).toEqual([]);
  expect(owedInWords(waiting)).toBe('no event is waiting to be forwarded');
});
