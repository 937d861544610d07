/** Decides what becomes of a delivery after an attempt (document: "Retry policy"). Pure. */
import { webhookLimits } from '../../contract/webhook.ts';

/** How one attempt ended. */
export type AttemptOutcome =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'timeout'; readonly afterMs: number }
  | { readonly kind: 'network'; readonly reason: string }
  /** The sandbox was killed after the attempt was recorded. It may have been sent, so it counts. */
  | { readonly kind: 'interrupted' };

export type DeliveryState = 'PENDING' | 'DELIVERED' | 'FAILED';

export interface Verdict {
  readonly state: DeliveryState;
  /** Milliseconds until the next attempt; null if there is none. */
  readonly retryInMs: number | null;
  /** Why, in words. */
  readonly reason: string;
}

interface RetryRules {
  /** What a 3xx means (assumption `webhook-redirect`). */
  readonly redirects: 'retry' | 'final';
  /** Milliseconds from the end of an attempt to the second, and to the third (assumption `backoff-schedule`). */
  readonly backoffMs: readonly number[];
}

/** Judges an attempt. `attempt`: the number of the one that just ended, from 1. */
export function judgeAttempt(
  attempt: number,
  outcome: AttemptOutcome,
  { redirects, backoffMs }: RetryRules,
): Verdict {
  const happened = describeOutcome(outcome);
  if (outcome.kind === 'answered') {
    const family = Math.floor(outcome.status / 100);
    if (family === 2) return { state: 'DELIVERED', retryInMs: null, reason: `delivered: ${happened}` };
    if (family === 4) return final(`${happened} is a definitive rejection; there is no retry`);
    if (family === 3 && redirects === 'final') return final(`${happened}; redirects are not followed`);
  }
  if (attempt >= webhookLimits.attempts) {
    return final(`${happened}; it was attempt ${attempt} of ${webhookLimits.attempts}, failed for good`);
  }
  const retryInMs = backoffMs[attempt - 1] ?? 0;
  return {
    state: 'PENDING',
    retryInMs,
    reason: `${happened}; attempt ${attempt + 1} of ${webhookLimits.attempts} follows ${retryInMs / 1000} s later`,
  };
}

/** Parses a `backoff-schedule` like `2s,4s` into milliseconds. */
export const readBackoff = (schedule: string): number[] =>
  schedule.split(',').map((delay) => Number.parseInt(delay, 10) * 1_000);

/** Describes an outcome, for the history's `error` and for people. */
export function describeOutcome(outcome: AttemptOutcome): string {
  switch (outcome.kind) {
    case 'answered':
      return `HTTP ${outcome.status}`;
    case 'timeout':
      return `no answer within ${outcome.afterMs / 1000} s`;
    case 'network':
      return `network failure: ${outcome.reason}`;
    case 'interrupted':
      return 'the sandbox stopped during the attempt';
  }
}

const final = (reason: string): Verdict => ({ state: 'FAILED', retryInMs: null, reason });
