/** Forwards one stored event now, at somebody's request, and records each attempt. */
import type { Clock } from '../clock.ts';
import { factsOf, prepareAttempt } from './attempt.ts';
import { afterAttempt, type RetryPolicy } from './backoff.ts';
import type { Post } from './post.ts';
import type { Outcome, Owed, Store } from './store.ts';

export interface ReplayOptions {
  readonly store: Pick<Store, 'record'>;
  readonly clock: Clock;
  readonly post: Post;
  readonly signatureHeader: string;
  /** The value of the signature header now; null: send the one that came. */
  readonly sign: () => string | null;
  readonly timeoutMs: number;
  readonly policy: RetryPolicy;
  readonly signal: AbortSignal;
}

/**
 * Tries until 2xx or the policy's attempts are over; not being reached counts too, because somebody is
 * waiting. Between attempts the event counts as given up, so that no listener takes it meanwhile.
 */
export async function replayEvent(owed: Owed, url: string, options: ReplayOptions): Promise<Outcome> {
  const { clock, policy } = options;
  let failures = 0;
  for (let number = owed.attempts + 1; ; number++) {
    const startedAt = clock.now();
    const prepared = prepareAttempt(
      { ...owed, attempts: 1 },
      startedAt,
      options.signatureHeader,
      options.sign,
    );
    const { timeoutMs, signal } = options;
    const result = await options.post({ url, body: owed.body, headers: prepared.headers, timeoutMs, signal });
    const reached = result.status === undefined ? { ...result, reached: true } : result;
    const decision = afterAttempt(reached, failures, clock.now(), policy);
    failures = decision.failures;
    const outcome: Outcome = {
      ...factsOf(owed, number, url, startedAt, prepared, result),
      ...{ failures, nextAt: null },
      state: decision.state === 'DELIVERED' ? 'DELIVERED' : 'GIVEN_UP',
    };
    await options.store.record(outcome);
    if (decision.state !== 'WAITING' || signal.aborted) return outcome;
    await clock.sleep((decision.nextAt ?? 0) - clock.now(), signal);
    if (signal.aborted) return outcome;
  }
}
