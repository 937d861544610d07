/**
 * Makes one attempt to forward an event and records it, for whoever carries the event and for whoever relays its
 * answer.
 */
import type { Clock } from '../../clock.ts';
import type { Post } from '../posting/post.ts';
import type { AttemptFlags } from '../report.ts';
import type { ForwardOutcome, OwedEvent, Store } from '../store.ts';
import { prepareAttempt, type SentAttempt, toAttemptFacts } from './attempt.ts';
import type { RetryDecision } from './backoff.ts';

export interface AttemptsOptions {
  readonly store: Pick<Store, 'record'>;
  readonly clock: Clock;
  readonly post: Post;
  readonly signatureHeader: string;
  /** Returns the signature header's value now; null if the source's secret is not known. */
  readonly sign: (source: string, body: Uint8Array) => string | null;
  readonly timeoutMs: number;
  readonly onAttempt: (owed: OwedEvent, outcome: ForwardOutcome, circumstances: AttemptFlags) => void;
}

export interface Attempts {
  /** Sends, and records nothing. */
  make(owed: OwedEvent, url: string): Promise<SentAttempt>;
  /** Records the attempt, and reports it only once the store has it. */
  record(owed: OwedEvent, outcome: ForwardOutcome, circumstances?: AttemptFlags): Promise<void>;
}

/** Makes attempts. `stopping` ends the posts under way. */
export function createAttempts(options: AttemptsOptions, stopping: AbortSignal): Attempts {
  const { store, clock, post, signatureHeader, timeoutMs } = options;
  return {
    async make(owed, url) {
      const startedAt = clock.now();
      const { source, body } = owed;
      const prepared = prepareAttempt(owed, startedAt, signatureHeader, () => options.sign(source, body));
      const { headers } = prepared;
      const result = await post({ url, body, headers, timeoutMs, signal: stopping });
      return { url, startedAt, prepared, result };
    },
    async record(owed, outcome, circumstances = {}) {
      await store.record(outcome);
      options.onAttempt(owed, outcome, circumstances);
    },
  };
}

/** Returns what the store is told about an attempt that was made. */
export const outcomeOf = (owed: OwedEvent, made: SentAttempt, decision: RetryDecision): ForwardOutcome => ({
  ...toAttemptFacts(owed, owed.attempts + 1, made),
  ...decision,
});
