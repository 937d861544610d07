/** Forwards one stored event now, at somebody's request, and records each attempt. */
import type { Clock } from '../clock.ts';
import { factsOf, prepareAttempt } from './attempt.ts';
import { afterAttempt, type RetryPolicy } from './backoff.ts';
import type { Post } from './post.ts';
import type { Attempt, ForwardState, Outcome, Owed, Store } from './store.ts';

export interface Replayable extends Owed {
  /** Before the replay. */
  readonly state: ForwardState;
  readonly origin: string;
}

export interface ReplayOptions {
  readonly store: Pick<Store, 'record' | 'postpone'> & {
    requeue(keys: readonly string[], target: string | null): Promise<readonly unknown[]>;
  };
  readonly clock: Clock;
  readonly post: Post;
  readonly signatureHeader: string;
  /** The value of the signature header now; null: send the one that came. */
  readonly sign: () => string | null;
  readonly timeoutMs: number;
  readonly policy: RetryPolicy;
  readonly signal: AbortSignal;
  /** Where it is owed to; null where that is not known. To be taken anywhere else settles nothing. */
  readonly owedTo: string | null;
}

export interface Replay {
  readonly outcome: Outcome;
  /** Answered with 2xx. */
  readonly taken: boolean;
}

/**
 * Tries until 2xx or the policy's attempts are over; not being reached counts too, because somebody is
 * waiting. Between attempts the event counts as given up, so that no listener takes it meanwhile; one that a
 * listener owes stays owed, because neither a replay in vain nor one to another place is a reason to give it up.
 */
export async function replayEvent(owed: Replayable, url: string, options: ReplayOptions): Promise<Replay> {
  const elsewhere = url !== options.owedTo;
  await options.store.requeue([owed.key], elsewhere && isOwed(owed) ? owed.target : url);
  const replay = await tryAndRecord(owed, url, { ...options, elsewhere });
  if (replay.outcome.state === 'WAITING') {
    await options.store.requeue([owed.key], owed.target);
    await options.store.postpone(owed.key, options.clock.now());
  }
  return replay;
}

const taken = { state: 'DELIVERED', nextAt: null } as const;
const givenUp = { state: 'GIVEN_UP', nextAt: null } as const;
const isOwed = ({ state, origin }: Replayable): boolean => state === 'WAITING' && origin !== 'edited';

/**
 * Where the event is owed: its own address while WAITING; else `listener`'s; else that of the last attempt not made
 * elsewhere; null if there is none.
 */
export const addressOwed = (
  { state, target }: Pick<Replayable, 'state' | 'target'>,
  attempts: readonly Pick<Attempt, 'url' | 'elsewhere'>[],
  listener: string | null = null,
): string | null =>
  // Of what is not owed, the target is what a replay has left there.
  (state === 'WAITING' ? target : null) ??
  listener ??
  attempts.findLast(({ url, elsewhere }) => elsewhere !== true && url !== '')?.url ??
  null;

async function tryAndRecord(
  owed: Replayable,
  url: string,
  options: ReplayOptions & { readonly elsewhere: boolean },
): Promise<Replay> {
  const { clock, policy, elsewhere } = options;
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
    // After whatever is still to come here.
    const again = { state: 'WAITING', nextAt: (decision.nextAt ?? clock.now()) + options.timeoutMs } as const;
    const isTaken = decision.state === 'DELIVERED';
    const settled = isTaken && !(elsewhere && isOwed(owed));
    const outcome: Outcome = {
      ...factsOf(owed, number, url, startedAt, prepared, result),
      ...(elsewhere ? { elsewhere } : {}),
      failures,
      ...(settled ? taken : isOwed(owed) ? again : givenUp),
    };
    await options.store.record(outcome);
    const replay = { outcome, taken: isTaken };
    if (decision.state !== 'WAITING' || signal.aborted) return replay;
    await clock.sleep((decision.nextAt ?? 0) - clock.now(), signal);
    if (signal.aborted) return replay;
  }
}
