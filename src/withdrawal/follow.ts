/**
 * Polls the withdrawal of an accepted intent to its end (`withdraw --wait`, a line of a batch) and records it.
 * `withdrawal wait` does not come through here: it takes the service's id and uses no ledger.
 */
import { pauseBetween } from '../api/pause.ts';
import type { IdempotencyKey } from '../contract/brand.ts';
import { formatCents } from '../contract/money.ts';
import { isWithdrawalStatus } from '../contract/statuses.ts';
import type { Withdrawal, WithdrawalById } from '../contract/withdrawal.ts';
import { orError, PixctlError } from '../errors.ts';
import { commandLine } from '../flags/command-line.ts';
import type { Intent, Scope } from '../ledger/intent.ts';
import type { Dependencies } from './dependencies.ts';
import { bodyOf, matches, recordOf } from './matching/body.ts';
import * as outcomes from './outcome/create-outcome.ts';
import { moneyMovedBy } from './outcome/money-moved.ts';
import type { Outcome } from './outcome/outcome.ts';
import { toUnknownOrOutcome } from './settling/as-unknown.ts';
import { wasAccepted } from './settling/check-ledger.ts';
import { combineWithLedger } from './settling/combine-with-ledger.ts';
import { endingOf, recordEnding, unwrittenReason } from './settling/ending.ts';
import { stillUnknownOutcome } from './settling/still-unknown.ts';

export interface FollowRequest {
  readonly scope: Scope;
  readonly idempotencyKey: IdempotencyKey;
  /** Bound on the whole wait. Milliseconds. */
  readonly timeoutMs: number;
  /** The outcome of this run so far, which is accepted. It is followed even if the ledger can no longer be read. */
  readonly after?: Outcome;
  /** Called with each record read, for live status. */
  readonly onRead?: (withdrawal: Withdrawal) => void;
}

/**
 * Pauses between two reads. Short at first: one that ends at once should cost hardly any wait, and a batch has many.
 */
const firstPollMs = 200;
const longestPollMs = 2_000;

/**
 * Follows a withdrawal to its end. COMPLETED is `ok`, and FAILED is 83 with `failedReason`. 82 means that it was still
 * pending when the wait ran out, or that this API key may not read it (the code is then that of the refusal). An intent
 * that the service has not accepted is reported as `reconcile` would report it, without reading the list. A ledger that
 * fails meanwhile does not stop the wait: what the service says is reported.
 */
export async function follow(dependencies: Dependencies, request: FollowRequest): Promise<Outcome> {
  const { clock, signal, onPhase } = dependencies;
  const until = clock.monotonic() + request.timeoutMs;
  onPhase?.('following');
  const replayed = request.after?.replayed ?? true;
  let known = request.after?.intent ?? null;
  for (let pause = firstPollMs; ; pause *= 1.5) {
    const intent = await findLatest(dependencies, request, known);
    if ('exit' in intent) return intent;
    if (intent.state !== 'ACCEPTED') return notAccepted(dependencies, intent, replayed);
    known = intent;
    // A single look has no bound of its own, so it is retried like any other read.
    const withinMs = request.timeoutMs > 0 ? until - clock.monotonic() : undefined;
    const read = await readOnce(dependencies, intent, withinMs);
    if (!(read instanceof PixctlError)) {
      request.onRead?.(read);
      const ended = await endedOutcome(dependencies, intent, read, replayed);
      if (ended !== null) return ended;
    }
    const left = until - clock.monotonic();
    if (left <= 0 || isRefused(read) || signal?.aborted)
      return pendingOutcome(intent, read, { replayed, signal });
    await clock.sleep(pauseBetween(Math.min(pause, longestPollMs), left, read), signal);
  }
}

/** The intent as the ledger has it now, or else as this run last knew it; the outcome if there is neither. */
async function findLatest(
  { ledger }: Dependencies,
  { scope, idempotencyKey }: FollowRequest,
  known: Intent | null,
): Promise<Intent | Outcome> {
  const found = await orError(ledger.find(scope, idempotencyKey));
  // What this run has seen accepted is accepted, whatever has become of the ledger.
  if (found instanceof PixctlError) return known ?? { ...outcomes.failed(null, found), unread: true };
  return found ?? known ?? outcomes.unknownKey(idempotencyKey);
}

/**
 * Follows an intent that is accepted, by this run or an earlier one, to its end. Any other outcome is returned as it
 * is.
 */
export async function followIfAccepted(
  dependencies: Dependencies,
  outcome: Outcome,
  how: Pick<FollowRequest, 'timeoutMs' | 'onRead'>,
): Promise<Outcome> {
  const { exit, intent } = outcome;
  if (exit !== 'ok' || intent?.state !== 'ACCEPTED') return outcome;
  const { scope, idempotencyKey } = intent;
  return follow(dependencies, { scope, idempotencyKey, after: outcome, ...how });
}

/**
 * Returns the outcome of an accepted intent if `read` says that it has ended, and records it if possible. Null: it has
 * not.
 */
export async function endedOutcome(
  dependencies: Dependencies,
  intent: Intent,
  read: Withdrawal,
  replayed: boolean,
): Promise<Outcome | null> {
  const change = endingOf(read);
  if (change === null) return null;
  try {
    const { scope, idempotencyKey } = intent;
    // Null: somebody else changed it, and what the ledger says now counts.
    const current =
      (await recordEnding(dependencies, intent, read)) ??
      (await dependencies.ledger.find(scope, idempotencyKey));
    const hasEnded = current !== null && current.state !== 'ACCEPTED' && wasAccepted(current);
    return hasEnded ? outcomes.acceptedOutcome(current, replayed) : null;
  } catch (cause) {
    if (!(cause instanceof PixctlError)) throw cause;
    return outcomes.acceptedOutcome({ ...intent, ...change }, replayed, unwrittenReason(cause));
  }
}

/** Reads what the service has for an accepted intent. Returns the error if that could not be read. */
export async function readOnce(
  { service }: Dependencies,
  intent: Intent,
  withinMs?: number,
): Promise<Withdrawal | PixctlError> {
  const { resourceId } = intent;
  const read = await orError(service.withdrawal(resourceId ?? '', withinMs));
  if (read instanceof PixctlError) return read;
  // A withdrawal named by a person may show the amount that was debited, and keeps showing it.
  const { amount } = recordOf(intent) ?? intent;
  // Read by its own id, its PIX key may be written differently (masked, say): the document does not show how.
  // An amount that is not shown contradicts nothing where the id is right, and proves nothing where there is no id.
  const isShown = read.amount !== undefined;
  const whole = { ...read, amount: read.amount ?? amount };
  const isIts =
    read.id === undefined
      ? isShown && matches(whole, { ...bodyOf(intent), amount })
      : read.id === resourceId && whole.amount === amount;
  return isIts ? whole : otherWithdrawalError(resourceId, read);
}

/** Keeps the ending of another withdrawal from being reported as this one's. */
const otherWithdrawalError = (asked: string | null, { id, amount }: WithdrawalById): PixctlError =>
  new PixctlError(
    'unexpected',
    'OTHER_WITHDRAWAL',
    `asked for ${asked}, the service answered with ${id === asked ? 'the same id and another amount' : (id ?? 'another one, without an id')}${amount === undefined ? '' : ` (${formatCents(amount)})`}`,
  );

async function notAccepted(dependencies: Dependencies, intent: Intent, replayed: boolean): Promise<Outcome> {
  if (wasAccepted(intent)) return outcomes.acceptedOutcome(intent, replayed);
  const current = await toUnknownOrOutcome(dependencies, intent);
  if (current === null) return outcomes.busy(intent, 'another process is changing it');
  if ('exit' in current) return current;
  return stillUnknownOutcome(dependencies, current, null).catch(() =>
    outcomes.unknownOutcome(current, outcomes.unknownReason(current)),
  );
}

/** Looks once, without waiting: where a key stands, with the code that a rerun would end with if it sent nothing. */
export async function currentOutcome(
  dependencies: Dependencies,
  { scope, idempotencyKey }: Pick<Intent, 'scope' | 'idempotencyKey'>,
  after?: Outcome,
): Promise<Outcome> {
  const key = { scope, idempotencyKey };
  const outcome = await follow(dependencies, {
    ...key,
    timeoutMs: 0,
    ...(after === undefined ? {} : { after }),
  }).catch((cause: unknown) => {
    // It could not be recorded that the sender is gone, so what that sender may have done is still unknown.
    if (cause instanceof PixctlError)
      return combineWithLedger(dependencies, key, outcomes.failed(null, cause));
    throw cause;
  });
  if (outcome.exit !== 'pending') return outcome;
  // Nobody waited, so being accepted is all that was asked. A key that may not read it is another matter.
  if (outcome.code !== 'PENDING') return { ...outcome, exit: 'auth' };
  return moneyMovedBy(outcome) === 'on-its-way' ? { ...outcome, exit: 'ok', code: 'ACCEPTED' } : outcome;
}

/** The outcome of an intent that is accepted and not known to have ended. `read`: the last look, or why it failed. */
export function pendingOutcome(
  intent: Intent,
  read: Withdrawal | PixctlError,
  { replayed, signal }: { readonly replayed: boolean; readonly signal?: AbortSignal | undefined },
): Outcome {
  const what = `the withdrawal ${intent.resourceId} was accepted`;
  const mayNotBeRead = isRefused(read);
  return outcomes.createOutcome(
    'pending',
    mayNotBeRead ? read.code : 'PENDING',
    `${what}, and ${stillWords(read, signal)}`,
    {
      intent,
      replayed,
      ...(read instanceof PixctlError ? {} : { withdrawal: read }),
      ...(mayNotBeRead ? { httpStatus: read.httpStatus, serviceCode: read.serviceCode } : {}),
      hint: `${mayNotBeRead ? 'With a key that may read it, wait' : 'Wait'} again: ${commandLine(['pixctl', 'withdrawal', 'wait', intent.resourceId ?? ''])}`,
    },
  );
}

/** Whether the service refuses the read to this API key: asking again would change nothing. */
const isRefused = (read: Withdrawal | PixctlError): read is PixctlError =>
  read instanceof PixctlError && read.kind === 'auth';

function stillWords(read: Withdrawal | PixctlError, signal: AbortSignal | undefined): string {
  if (!(read instanceof PixctlError))
    return `is ${read.status}${isWithdrawalStatus(read.status) ? ' still' : ', a status that the document does not show'}`;
  if (signal?.aborted) return 'was not followed to its end: the run was stopped';
  return `could not be read after that (${outcomes.readFailureReason(read)})`;
}
