/** Polls an accepted withdrawal to its end (`--wait`, `withdrawal wait`). */
import type { IdempotencyKey } from '../contract/brand.ts';
import type { Withdrawal } from '../contract/withdrawal.ts';
import { PixctlError } from '../errors.ts';
import type { Intent, Scope } from '../ledger/intent.ts';
import type { Dependencies } from './dependencies.ts';
import type { Outcome } from './outcome.ts';
import { asUnknown } from './reconcile.ts';
import { advance } from './record.ts';
import * as say from './say.ts';

export interface FollowRequest {
  readonly scope: Scope;
  readonly idempotencyKey: IdempotencyKey;
  /** Bound on the whole wait, milliseconds. */
  readonly timeoutMs: number;
  /** The longest pause between two reads, milliseconds; they begin shorter. Default 2000. */
  readonly pollMs?: number;
  /** Each record read, for live status. */
  readonly onRead?: (withdrawal: Withdrawal) => void;
}

/** A withdrawal that ends at once is not waited for; a batch has many of them. */
const firstPollMs = 200;

/**
 * COMPLETED is `ok`, FAILED is 83 with `failedReason`, still pending when the wait ran out is 82. An intent
 * that the service has not accepted is told as `reconcile` would tell it, without reconciling.
 */
export async function follow(dependencies: Dependencies, request: FollowRequest): Promise<Outcome> {
  const { ledger, clock, signal, onPhase } = dependencies;
  const until = clock.monotonic() + request.timeoutMs;
  onPhase?.('following');
  for (let pause = firstPollMs; ; pause *= 1.5) {
    const intent = await ledger.find(request.scope, request.idempotencyKey);
    if (intent === null)
      return say.plain(
        'notFound',
        'UNKNOWN_KEY',
        `the ledger has no withdrawal with the key ${request.idempotencyKey}`,
      );
    if (intent.state !== 'ACCEPTED') return notAccepted(dependencies, intent);
    const read = await readOnce(dependencies, intent);
    if (read instanceof PixctlError && read.kind === 'auth') return say.unreadable(intent, read);
    if (!(read instanceof PixctlError)) {
      request.onRead?.(read);
      const current = await advance(dependencies, intent, read);
      if (current !== null && current.state !== 'ACCEPTED') return say.settledOutcome(current, false);
    }
    const left = until - clock.monotonic();
    if (left <= 0 || signal?.aborted) return pending(intent, read, signal);
    await clock.sleep(Math.min(left, pause, request.pollMs ?? 2_000), signal);
  }
}

/** What the service has of an accepted intent, or why that could not be read. */
export async function readOnce(
  { service }: Dependencies,
  { resourceId }: Intent,
): Promise<Withdrawal | PixctlError> {
  try {
    const read = await service.withdrawal(resourceId ?? '');
    return read.id === undefined || read.id === resourceId ? read : anothers(resourceId, read.id);
  } catch (cause) {
    if (cause instanceof PixctlError) return cause;
    throw cause;
  }
}

/** The end of another withdrawal is not told as this one's. */
const anothers = (asked: string | null, answered: string): PixctlError =>
  new PixctlError(
    'unexpected',
    'OTHER_WITHDRAWAL',
    `asked for ${asked}, the service answered with ${answered}`,
  );

async function notAccepted(dependencies: Dependencies, intent: Intent): Promise<Outcome> {
  if (intent.state === 'UNKNOWN') return say.unknownOutcome(intent, 'its answer was lost');
  if (intent.state === 'SENDING') return say.busy(intent, 'it is being sent');
  const told = await asUnknown(dependencies, intent);
  return told !== null && 'exit' in told ? told : say.busy(intent, 'another process is changing it');
}

function pending(intent: Intent, read: Withdrawal | PixctlError, signal: AbortSignal | undefined): Outcome {
  const what = `the withdrawal ${intent.resourceId} was accepted`;
  return say.plain('pending', 'PENDING', `${what}, and ${stillWords(read, signal)}`, {
    intent,
    ...(read instanceof PixctlError ? {} : { withdrawal: read }),
    hint: `Wait again: pixctl withdrawal wait ${intent.resourceId}.`,
  });
}

function stillWords(read: Withdrawal | PixctlError, signal: AbortSignal | undefined): string {
  if (!(read instanceof PixctlError)) return `is ${read.status} still`;
  if (signal?.aborted) return 'was not followed to its end: the run was stopped';
  return `could not be read since (${read.message.replace(/\.$/, '')})`;
}
