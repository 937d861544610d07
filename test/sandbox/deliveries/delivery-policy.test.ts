import { describe, expect, it } from 'vitest';
import { type AttemptOutcome, judgeAttempt } from '../../../src/sandbox/deliveries/delivery-policy.ts';

/** As the first choice of each open point. */
const rules = { redirects: 'retry', backoffMs: [2_000, 4_000] } as const;
const answered = (status: number): AttemptOutcome => ({ kind: 'answered', status });

describe('what becomes of a delivery after an attempt', () => {
  it.each<[number, AttemptOutcome, string, number | null]>([
    [1, answered(200), 'DELIVERED', null],
    [3, answered(299), 'DELIVERED', null],
    [1, answered(400), 'FAILED', null],
    [1, answered(404), 'FAILED', null],
    [1, answered(429), 'FAILED', null],
    [1, answered(499), 'FAILED', null],
    [1, answered(500), 'PENDING', 2_000],
    [2, answered(503), 'PENDING', 4_000],
    [3, answered(500), 'FAILED', null],
    [1, answered(302), 'PENDING', 2_000],
    [3, answered(302), 'FAILED', null],
    [1, { kind: 'timeout', afterMs: 10_000 }, 'PENDING', 2_000],
    [2, { kind: 'timeout', afterMs: 10_000 }, 'PENDING', 4_000],
    [3, { kind: 'timeout', afterMs: 10_000 }, 'FAILED', null],
    [1, { kind: 'network', reason: 'ECONNREFUSED' }, 'PENDING', 2_000],
    [3, { kind: 'network', reason: 'ECONNREFUSED' }, 'FAILED', null],
    [1, { kind: 'interrupted' }, 'PENDING', 2_000],
    [3, { kind: 'interrupted' }, 'FAILED', null],
  ])('attempt %i, %o: %s, next in %s ms', (attempt, outcome, state, retryInMs) => {
    expect(judgeAttempt(attempt, outcome, rules)).toMatchObject({ state, retryInMs });
  });

  it('may treat a redirect as a rejection, since the document does not say', () => {
    expect(judgeAttempt(1, answered(301), { ...rules, redirects: 'final' })).toMatchObject({
      state: 'FAILED',
      retryInMs: null,
    });
  });

  it.each([
    [1, answered(503), 'HTTP 503; attempt 2 of 3 follows 2 s later'],
    [
      2,
      { kind: 'timeout', afterMs: 1_200 } as const,
      'no answer within 1.2 s; attempt 3 of 3 follows 4 s later',
    ],
    [3, answered(500), 'HTTP 500; it was attempt 3 of 3, failed for good'],
    [1, answered(410), 'HTTP 410 is a definitive rejection; there is no retry'],
  ])('says why, attempt %i', (attempt, outcome, words) => {
    expect(judgeAttempt(attempt, outcome, rules).reason).toBe(words);
  });
});
