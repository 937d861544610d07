/** What `--exit-after` counts, and what it calls taken. */
import { describe, expect, it } from 'vitest';
import { createTally } from '../../../../src/commands/webhook/listen/tally.ts';
import type { EventReport, ForwardReport, Report } from '../../../../src/listener/report.ts';

const event = (key: string, more: Partial<EventReport> = {}): Report => ({
  type: 'event',
  id: key,
  event: 'CHARGE_PAID',
  verified: true,
  duplicate: false,
  forward: { status: 200, ms: 1 },
  state: 'DELIVERED',
  amount: null,
  status: null,
  key,
  ...more,
});
const forward = (key: string, state: ForwardReport['state']): ForwardReport => ({
  type: 'forward',
  id: key,
  event: 'CHARGE_PAID',
  attempt: 1,
  forward: { status: state === 'DELIVERED' ? 200 : 500, ms: 1 },
  state,
  nextAt: null,
  key,
});
const both = { targets: ['A', 'B'], target: 'A' };
const silent = { forward: { error: 'had not answered', ms: 1 }, state: 'WAITING' } as const;
const queued = { forward: null, state: 'WAITING' } as const;

describe('the tally of --exit-after', () => {
  it.each<[string, Report[], { reached: number; notTaken: number }]>([
    ['events that the application took', [event('a'), event('b')], { reached: 1, notTaken: 0 }],
    [
      'events that are not forwarded at all',
      [event('a', { forward: null, state: 'NOT_FORWARDED' }), event('b')],
      { reached: 1, notTaken: 0 },
    ],
    [
      'repeats, which do not count',
      [event('a'), event('a', { duplicate: true })],
      { reached: 0, notTaken: 0 },
    ],
    [
      'one that it did not take',
      [event('a'), event('b', { forward: { status: 500, ms: 1 }, state: 'WAITING' })],
      { reached: 1, notTaken: 1 },
    ],
    [
      'one for two applications that only one of them has been asked for',
      [event('a'), event('b', both), { ...forward('b', 'WAITING'), attempt: 2, target: 'A' }],
      { reached: 0, notTaken: 0 },
    ],
    [
      'one for two applications that both took',
      [event('a'), event('b', both), { ...forward('b', 'DELIVERED'), target: 'B' }],
      { reached: 1, notTaken: 0 },
    ],
    [
      'one for two applications that one did not take',
      [event('a'), event('b', both), { ...forward('b', 'WAITING'), target: 'B' }],
      { reached: 1, notTaken: 1 },
    ],
    [
      'one that only waits its turn, which does not count yet',
      [event('a'), event('b', queued)],
      { reached: 0, notTaken: 0 },
    ],
    [
      'one that waited its turn and was taken',
      [event('a'), event('b', queued), forward('b', 'DELIVERED')],
      { reached: 1, notTaken: 0 },
    ],
    [
      'one that waited its turn and was not taken',
      [event('a', queued), event('b'), forward('a', 'WAITING')],
      { reached: 1, notTaken: 1 },
    ],
    [
      'others that come while one of them waits its turn',
      [
        event('a'),
        event('b', queued),
        event('c', { forward: { status: 500, ms: 1 } }),
        forward('b', 'DELIVERED'),
      ],
      { reached: 1, notTaken: 0 },
    ],
    [
      'one that was cut off, at once or after it waited, which does not count yet',
      [
        event('a', queued),
        event('b', { ...silent, cutOff: true }),
        { ...forward('a', 'WAITING'), cutOff: true },
      ],
      { reached: 0, notTaken: 0 },
    ],
    [
      'one that --ack app had asked the application for, without hearing or recording its answer',
      [event('a'), event('b', { forward: null, state: 'NOT_FORWARDED', cutOff: true })],
      { reached: 0, notTaken: 0 },
    ],
    [
      'one that another listener took over, at once or after it waited, whose attempt is not known yet',
      [
        event('a', queued),
        event('b', { ...queued, takenOver: true }),
        { ...forward('a', 'WAITING'), forward: null, takenOver: true },
        event('c'),
      ],
      { reached: 0, notTaken: 0 },
    ],
    [
      'one for two applications of which one had been asked when a later attempt was taken over',
      [
        event('a'),
        event('b', both),
        { ...forward('b', 'WAITING'), forward: null, attempt: 2, target: 'A', takenOver: true },
        { ...forward('b', 'DELIVERED'), target: 'B' },
      ],
      { reached: 1, notTaken: 0 },
    ],
    [
      'later attempts, which do not count again',
      [event('a'), forward('a', 'DELIVERED')],
      { reached: 0, notTaken: 0 },
    ],
  ])('of two, with %s', (_, reports, expected) => {
    let reached = 0;
    const tally = createTally(2, () => {
      reached += 1;
    });
    for (const report of reports) tally.note(report);
    expect({ reached, notTaken: tally.notAccepted }).toEqual(expected);
  });

  it.each([true, false])('counts what was tried elsewhere; accepted there: %s', (taken) => {
    const tally = createTally(2, () => expect.unreachable('whoever tells it is told'));
    tally.note(event('a', { ...queued, targets: ['A', 'B'] }));
    tally.note(event('b', queued));
    tally.note(event('c', queued));
    const untried = () => [...tally.untried()].map(({ key, targets }) => [key, ...targets]);
    expect(untried()).toEqual([
      ['a', 'A', 'B'],
      ['b', undefined],
    ]);
    expect(tally.noteElsewhere('b', undefined, true)).toBe(false);
    expect(tally.noteElsewhere('a', 'A', taken)).toBe(false);
    expect(tally.noteElsewhere('a', 'A', taken)).toBe(false);
    expect(untried()).toEqual([['a', 'B']]);
    expect(tally.noteElsewhere('a', 'B', true)).toBe(true);
    expect(tally.noteElsewhere('a', 'B', true)).toBe(false);
    expect([tally.attempted, tally.notAccepted]).toEqual([2, taken ? 0 : 1]);
  });
});
