/** Decides what becomes of an event after an attempt to forward it. Pure. */
import { isSuccessStatus, maxRetryDelayMs } from '../../forward/forward.ts';
import { isUnreached } from '../posting/exchange.ts';
import type { PostResult } from '../posting/post.ts';
import type { ForwardState } from '../store.ts';

export interface RetryPolicy {
  /** Attempts that reach the application before the event is given up. */
  readonly attempts: number;
  readonly baseMs: number;
  readonly maxMs: number;
}

/** About four and a half minutes in all: time to read an error, fix the handler and save. */
export const defaultRetryPolicy: RetryPolicy = { attempts: 10, baseMs: 1_000, maxMs: maxRetryDelayMs };

/** While the application cannot be reached, events wait this long at a time, and no attempt is counted. */
export const unreachedDelayMs = 1_000;

export interface RetryDecision {
  readonly state: Exclude<ForwardState, 'NONE'>;
  readonly failures: number;
  readonly nextAt: number | null;
}

/** Decides what comes next. Only 2xx is a success: a redirect is not followed, so the event reached nobody. */
export function decideAfterAttempt(
  result: PostResult,
  failuresBefore: number,
  now: number,
  policy: RetryPolicy,
): RetryDecision {
  if (isSuccessStatus(result.status)) {
    return { state: 'DELIVERED', failures: failuresBefore, nextAt: null };
  }
  if (isUnreached(result)) {
    return { state: 'WAITING', failures: failuresBefore, nextAt: now + unreachedDelayMs };
  }
  const failures = failuresBefore + 1;
  if (failures >= policy.attempts) return { state: 'GIVEN_UP', failures, nextAt: null };
  return {
    state: 'WAITING',
    failures,
    nextAt: now + Math.min(policy.maxMs, policy.baseMs * 2 ** (failures - 1)),
  };
}
