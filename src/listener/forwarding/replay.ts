/** Forwards one stored event now, at somebody's request, and records each attempt. */
import type { Clock } from '../../clock.ts';
import type { RecordedReplay, ReplayAttempt } from '../../forward/forward.ts';
import type { Post } from '../posting/post.ts';
import type { Attempt, ForwardState, Owed } from '../store.ts';
import { factsOf, prepareAttempt } from './attempt.ts';
import { afterAttempt, type RetryPolicy } from './backoff.ts';

export interface Replayable extends Owed {
  /** Before the replay. */
  readonly state: ForwardState;
  readonly origin: string;
}

/** The inbox fits it. */
export interface ReplayStore {
  claimOne(event: Pick<Owed, 'key'>): Promise<boolean>;
  giveBack(key: string): Promise<void>;
  recordReplay(
    attempt: ReplayAttempt,
    becomes: (state: ForwardState) => ForwardState,
  ): Promise<RecordedReplay>;
}

export interface ReplayOptions {
  readonly store: ReplayStore;
  readonly clock: Clock;
  readonly post: Post;
  readonly signatureHeader: string;
  /** The value of the signature header now; null: send the one that came. */
  readonly sign: () => string | null;
  readonly timeoutMs: number;
  readonly policy: RetryPolicy;
  readonly signal: AbortSignal;
  /** The address that it is owed to; null if that is not known. Acceptance anywhere else settles nothing. */
  readonly owedTo: string | null;
}

export interface Replay {
  readonly outcome: ReplayAttempt & RecordedReplay;
  /** Answered with 2xx. */
  readonly taken: boolean;
}

/**
 * Tries until 2xx or the policy's attempts are over; not being reached counts too, because somebody is
 * waiting. Meanwhile no listener takes an event that is replayed to where it is owed, unless one is forwarding it
 * already. A replay to another place disturbs no listener at all.
 */
export async function replayEvent(owed: Replayable, url: string, options: ReplayOptions): Promise<Replay> {
  const elsewhere = url !== options.owedTo;
  const claimed = !elsewhere && (await options.store.claimOne(owed));
  try {
    return await tryAndRecord(owed, url, { ...options, elsewhere });
  } finally {
    if (claimed) await options.store.giveBack(owed.key);
  }
}

/** What `becomes` of an event is decided by: where a replay went, and whether it was taken there. */
export interface ReplayFacts extends Pick<ReplayOptions, 'owedTo'> {
  readonly origin: string;
  readonly elsewhere: boolean;
  readonly taken: boolean;
}

/**
 * Once its application has accepted it, no replay undoes that. If another address accepted it, it is still owed to its
 * application, or still given up there. An edited copy is made by hand, and owed to nobody.
 */
export function afterReplay(
  before: ForwardState,
  { origin, elsewhere, owedTo, taken }: ReplayFacts,
): ForwardState {
  if (before === 'DELIVERED') return before;
  const isOwed = before === 'WAITING' && origin !== 'edited';
  if (!taken) return isOwed ? before : 'GIVEN_UP';
  const wasGivenUp = before === 'GIVEN_UP' && owedTo !== null && origin !== 'edited';
  return elsewhere && (isOwed || wasGivenUp) ? before : 'DELIVERED';
}

/**
 * Where the event is owed: its own address while WAITING; else `listener`'s; else that of the last attempt not made
 * elsewhere; null if there is none.
 */
export const addressOwed = (
  { state, target }: Pick<Replayable, 'state' | 'target'>,
  attempts: readonly Pick<Attempt, 'url' | 'elsewhere'>[],
  listener: string | null = null,
): string | null =>
  // The target of an event that is not WAITING is only what an earlier replay left there.
  (state === 'WAITING' ? target : null) ??
  listener ??
  attempts.findLast(({ url, elsewhere }) => elsewhere !== true && url !== '')?.url ??
  null;

async function tryAndRecord(
  owed: Replayable,
  url: string,
  options: ReplayOptions & { readonly elsewhere: boolean },
): Promise<Replay> {
  const { clock, policy, elsewhere, owedTo } = options;
  let failures = 0;
  for (;;) {
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
    const taken = decision.state === 'DELIVERED';
    const attempt: ReplayAttempt = {
      ...factsOf(owed, 0, { url, startedAt, prepared, result }),
      ...(elsewhere ? { elsewhere } : {}),
    };
    const facts = { origin: owed.origin, elsewhere, owedTo, taken };
    const recorded = await options.store.recordReplay(attempt, (before) => afterReplay(before, facts));
    const replay = { outcome: { ...attempt, ...recorded }, taken };
    if (decision.state !== 'WAITING' || signal.aborted) return replay;
    await clock.sleep((decision.nextAt ?? 0) - clock.now(), signal);
    if (signal.aborted) return replay;
  }
}
