/** Forwards one stored event now, on request, and records each attempt. */
import type { Clock } from '../../clock.ts';
import type { RecordedReplay, ReplayAttempt } from '../../forward/forward.ts';
import type { Post } from '../posting/post.ts';
import type { Attempt, ForwardState, OwedEvent } from '../store.ts';
import { prepareAttempt, toAttemptFacts } from './attempt.ts';
import { decideAfterAttempt, type RetryPolicy } from './backoff.ts';

interface Replayable extends OwedEvent {
  /** The state before the replay. */
  readonly state: ForwardState;
  readonly origin: string;
}

/** What a replay needs of the store. The inbox has it. */
export interface ReplayStore {
  claimOne(event: Pick<OwedEvent, 'key'>): Promise<boolean>;
  releaseClaim(key: string): Promise<void>;
  recordReplay(
    attempt: ReplayAttempt,
    becomes: (state: ForwardState) => ForwardState,
  ): Promise<RecordedReplay>;
}

interface ReplayOptions {
  readonly store: ReplayStore;
  readonly clock: Clock;
  readonly post: Post;
  readonly signatureHeader: string;
  /** Returns the signature header's value now. Null: send the received one. */
  readonly sign: () => string | null;
  readonly timeoutMs: number;
  readonly policy: RetryPolicy;
  readonly signal: AbortSignal;
  /** The address that it is owed to; null if that is not known. Being accepted anywhere else settles nothing. */
  readonly owedTo: string | null;
}

export interface Replay {
  readonly outcome: ReplayAttempt & RecordedReplay;
  /** Whether it was answered with 2xx. */
  readonly taken: boolean;
}

/**
 * Tries until a 2xx or until the policy's attempts are used up. Failing to reach the application counts too, because
 * somebody is waiting. Meanwhile no listener takes an event that is replayed to where it is owed, unless one is already
 * forwarding it. A replay to another place does not affect listeners at all.
 */
export async function replayEvent(owed: Replayable, url: string, options: ReplayOptions): Promise<Replay> {
  const elsewhere = url !== options.owedTo;
  const claimed = !elsewhere && (await options.store.claimOne(owed));
  try {
    return await tryAndRecord(owed, url, { ...options, elsewhere });
  } finally {
    if (claimed) await options.store.releaseClaim(owed.key);
  }
}

/** What decides the state of an event after a replay: where the replay went, and whether it was taken there. */
interface ReplayFacts extends Pick<ReplayOptions, 'owedTo'> {
  readonly origin: string;
  readonly elsewhere: boolean;
  readonly taken: boolean;
}

/**
 * Returns the state after a replay. Once its application has accepted an event, no replay undoes that. If another
 * address accepted it, it is still owed to its application, or given up there: one of several that `--ack app` never
 * heard of (`NONE`) has not accepted it. An edited copy is made by hand and owed to nobody.
 */
export function stateAfterReplay(
  before: ForwardState,
  { origin, elsewhere, owedTo, taken }: ReplayFacts,
): ForwardState {
  if (before === 'DELIVERED') return before;
  const isOwed = before === 'WAITING' && origin !== 'edited';
  if (!taken) return isOwed ? before : 'GIVEN_UP';
  if (!elsewhere) return 'DELIVERED';
  if (isOwed) return before;
  return owedTo !== null && origin !== 'edited' ? 'GIVEN_UP' : 'DELIVERED';
}

/**
 * Returns where the event is owed: its own address while WAITING, else `listener`'s, else that of the last attempt not
 * made elsewhere. Null if there is none.
 */
export const owedAddressOf = (
  { state, target }: Pick<Replayable, 'state' | 'target'>,
  attempts: readonly Pick<Attempt, 'url' | 'elsewhere'>[],
  listener: string | null = null,
): string | null =>
  // The target of an event that is not WAITING is only a leftover of an earlier replay.
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
    const decision = decideAfterAttempt(reached, failures, clock.now(), policy);
    failures = decision.failures;
    const taken = decision.state === 'DELIVERED';
    const attempt: ReplayAttempt = {
      ...toAttemptFacts(owed, 0, { url, startedAt, prepared, result }),
      ...(elsewhere ? { elsewhere } : {}),
    };
    const facts = { origin: owed.origin, elsewhere, owedTo, taken };
    const recorded = await options.store.recordReplay(attempt, (before) => stateAfterReplay(before, facts));
    const replay = { outcome: { ...attempt, ...recorded }, taken };
    if (decision.state !== 'WAITING' || signal.aborted) return replay;
    await clock.sleep((decision.nextAt ?? 0) - clock.now(), signal);
    if (signal.aborted) return replay;
  }
}
