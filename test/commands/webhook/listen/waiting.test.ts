/** What waits when a listener begins and ends: for whom, and how it is said. */
import { describe, expect, it } from 'vitest';
import {
  countWaiting,
  leftFromEarlierRuns,
  owedInWords,
} from '../../../../src/commands/webhook/listen/waiting.ts';

const since = 0;
const listener = { sources: () => ['a', 'c'] };
const one = { all: ['http://127.0.0.1:3000/'], isSeveral: false };

describe('what waits', () => {
  it('is counted for the secrets of this listener apart from the rest', async () => {
    const inbox = {
      countWaiting: async () => [
        { source: 'a', target: null, events: 1, since },
        { source: 'b', target: null, events: 2, since },
        { source: 'c', target: null, events: 4, since },
      ],
    };
    const waiting = await countWaiting(inbox, listener, one);
    expect(waiting).toEqual({ own: 5, others: 2, countsForwards: false, unnamed: [] });
    expect(leftFromEarlierRuns(waiting)).toEqual([
      '5 events from earlier runs are still to be forwarded; forwarding now.',
    ]);
    expect(owedInWords(waiting)).toBe(
      '5 events stored and not yet accepted by your application; the next webhook listen forwards them',
    );
  });

  it('is told of an application that this run does not name, of both secrets together', async () => {
    const gone = 'http://127.0.0.1:4000/';
    const inbox = {
      countWaiting: async () => [
        { source: 'a', target: gone, events: 1, since },
        { source: 'b', target: gone, events: 2, since },
        { source: 'c', target: gone, events: 4, since },
        { source: 'c', target: 'http://127.0.0.1:3000/', events: 3, since },
      ],
    };
    const waiting = await countWaiting(inbox, listener, one);
    expect(waiting).toMatchObject({ own: 8, countsForwards: true, unnamed: [{ target: gone, forwards: 5 }] });
    expect(leftFromEarlierRuns(waiting)).toEqual([
      '8 forwards from earlier runs are still to be made; forwarding now.',
      expect.stringMatching(
        /^5 of them go to http:\/\/127\.0\.0\.1:4000\/, which an earlier run named .*prune --target/,
      ),
    ]);
  });

  it('is nothing', async () => {
    const waiting = await countWaiting({ countWaiting: async () => [] }, listener, one);
    expect(leftFromEarlierRuns(waiting)).toEqual([]);
    expect(owedInWords(waiting)).toBe('no event is waiting to be forwarded');
  });
});
