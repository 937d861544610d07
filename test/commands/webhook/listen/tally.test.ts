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
      'one for two applications, of which one refused it before the other place was taken over',
      [
        event('a', { ...both, forward: { status: 500, ms: 1 }, state: 'WAITING' }),
        { ...forward('a', 'WAITING'), forward: null, takenOver: true, target: 'B' },
        event('b'),
      ],
      { reached: 1, notTaken: 1 },
    ],
    [
      'one for two applications, of which one was taken over before the other refused it',
      [
        event('a', { ...both, ...queued, takenOver: true }),
        { ...forward('a', 'WAITING'), target: 'B' },
        event('b'),
      ],
      { reached: 1, notTaken: 1 },
    ],
    [
      'one that was taken over at both applications, which does not count',
      [
        event('a', { ...both, ...queued, takenOver: true }),
        { ...forward('a', 'WAITING'), forward: null, takenOver: true, target: 'B' },
        event('b'),
      ],
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
      'one that another process took over, which does not count',
      [event('a'), event('b', { ...queued, takenOver: true }), event('c')],
      { reached: 1, notTaken: 0 },
    ],
    [
      'one that was taken over after it waited its turn, which counts no more',
      [event('a', queued), { ...forward('a', 'WAITING'), takenOver: true }, event('b'), event('c')],
      { reached: 1, notTaken: 0 },
    ],
    [
      'one for two applications that was taken over at one of them, in either order',
      [
        event('a', { ...both, ...queued, takenOver: true }),
        { ...forward('a', 'DELIVERED'), target: 'B' },
        event('b', both),
        { ...forward('b', 'WAITING'), target: 'B', takenOver: true },
        event('c'),
      ],
      { reached: 1, notTaken: 0 },
    ],
    [
      'one for two applications of which one had been asked when a later attempt was taken over',
      [
        event('a'),
        event('b', both),
        { ...forward('b', 'WAITING'), attempt: 2, target: 'A', takenOver: true },
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
});
