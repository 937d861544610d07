/**
 * Polls the withdrawal of an accepted intent to its end (`withdraw --wait`, a line of a batch), and records it.
 * `withdrawal wait`, by the service's id and without the ledger, does not come through here.
 */
import { pauseBetween } from '../api/pause.ts';
import type { IdempotencyKey } from '../contract/brand.ts';
import { formatCents } from '../contract/money.ts';
import { isWithdrawalStatus, type Withdrawal } from '../contract/withdrawal.ts';
import { orError, PixctlError } from '../errors.ts';
import { commandLine } from '../flags/command-line.ts';
import type { Intent, Scope } from '../ledger/intent.ts';
import type { Dependencies } from './dependencies.ts';
import { bodyOf, matches, recordOf } from './matching/body.ts';
import { movedBy } from './outcome/moved.ts';
import type { Outcome } from './outcome/outcome.ts';
import * as say from './outcome/say.ts';
import { asUnknown } from './settling/as-unknown.ts';
import { advance, endingOf, whyUnwritten } from './settling/ending.ts';
import { isSettled } from './settling/look.ts';
import { standing } from './settling/standing.ts';
import { stillUnknown } from './settling/still-unknown.ts';

export interface FollowRequest {
  readonly scope: Scope;
  readonly idempotencyKey: IdempotencyKey;
  /** Bound on the whole wait, milliseconds. */
  readonly timeoutMs: number;
  /** What this run has come to so far: accepted. Followed even where the ledger cannot be read any more. */
  readonly after?: Outcome;
  /** Each record read, for live status. */
  readonly onRead?: (withdrawal: Withdrawal) => void;
}

/** Between two reads. Short at first: a withdrawal that ends at once should cost hardly any wait, a batch has many. */
const firstPollMs = 200;
const longestPollMs = 2_000;

/**
 * COMPLETED is `ok`, FAILED is 83 with `failedReason`, still pending when the wait ran out is 82, and so is what may
 * not be read (its code is then that of the refusal). An intent that the service has not accepted is told as
 * `reconcile` would tell it, without asking the list. A ledger that fails meanwhile does not end it: what the
 * service says is told.
 */
export async function follow(dependencies: Dependencies, request: FollowRequest): Promise<Outcome> {
  const { clock, signal, onPhase } = dependencies;
  const until = clock.monotonic() + request.timeoutMs;
  onPhase?.('following');
  const replayed = request.after?.replayed ?? true;
  let known = request.after?.intent ?? null;
  for (let pause = firstPollMs; ; pause *= 1.5) {
    const found = await orError(dependencies.ledger.find(request.scope, request.idempotencyKey));
    if (found instanceof PixctlError && known === null) return { ...say.failed(null, found), unread: true };
    // What this run has seen accepted is, whatever has become of the ledger.
    const intent = found instanceof PixctlError || found === null ? known : found;
    if (intent === null) return say.unknownKey(request.idempotencyKey);
    if (intent.state !== 'ACCEPTED') return notAccepted(dependencies, intent, replayed);
    known = intent;
    // A single look has no bound of its own: it is repeated like any other read.
    const withinMs = request.timeoutMs > 0 ? until - clock.monotonic() : undefined;
    const read = await readOnce(dependencies, intent, withinMs);
    if (!(read instanceof PixctlError)) {
      request.onRead?.(read);
      const ended = await endOf(dependencies, intent, read, replayed);
      if (ended !== null) return ended;
    }
    const left = until - clock.monotonic();
    if (left <= 0 || isRefused(read) || signal?.aborted) return pending(intent, read, { replayed, signal });
    await clock.sleep(pauseBetween(Math.min(pause, longestPollMs), left, read), signal);
  }
}

/** From accepted by this run, or found so, to the end; any other outcome is the last word. */
export async function followOn(
  dependencies: Dependencies,
  outcome: Outcome,
  how: Pick<FollowRequest, 'timeoutMs' | 'onRead'>,
): Promise<Outcome> {
  const { exit, intent } = outcome;
  if (exit !== 'ok' || intent?.state !== 'ACCEPTED') return outcome;
  const { scope, idempotencyKey } = intent;
  return follow(dependencies, { scope, idempotencyKey, after: outcome, ...how });
}

/** The outcome of an accepted intent once `read` says that it has ended, written down where that is possible. */
export async function endOf(
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
      (await advance(dependencies, intent, read)) ?? (await dependencies.ledger.find(scope, idempotencyKey));
    const hasEnded = current !== null && current.state !== 'ACCEPTED' && isSettled(current);
    return hasEnded ? say.settledOutcome(current, replayed) : null;
  } catch (cause) {
    if (!(cause instanceof PixctlError)) throw cause;
    return say.settledOutcome({ ...intent, ...change }, replayed, whyUnwritten(cause));
  }
}

/** What the service has of an accepted intent, or why that could not be read. */
export async function readOnce(
  { service }: Dependencies,
  intent: Intent,
  withinMs?: number,
): Promise<Withdrawal | PixctlError> {
  const { resourceId } = intent;
  const read = await orError(service.withdrawal(resourceId ?? '', withinMs));
  if (read instanceof PixctlError) return read;
  // Of one that a person named the amount may be what was debited, and stays so.
  const { amount } = recordOf(intent) ?? intent;
  // Read by its own id, its PIX key may be written differently (masked, say): the document does not show it there.
  const isIts =
    read.id === undefined
      ? matches(read, { ...bodyOf(intent), amount })
      : read.id === resourceId && read.amount === amount;
  return isIts ? read : anothers(resourceId, read);
}

/** The end of another withdrawal is not told as this one's. */
const anothers = (asked: string | null, { id, amount }: Withdrawal): PixctlError =>
  new PixctlError(
    'unexpected',
    'OTHER_WITHDRAWAL',
    `asked for ${asked}, the service answered with ${id === asked ? 'the same id and another amount' : (id ?? 'another one, without an id')} (${formatCents(amount)})`,
  );

async function notAccepted(dependencies: Dependencies, intent: Intent, replayed: boolean): Promise<Outcome> {
  if (isSettled(intent)) return say.settledOutcome(intent, replayed);
  const told = await asUnknown(dependencies, intent);
  if (told === null) return say.busy(intent, 'another process is changing it');
  if ('exit' in told) return told;
  return stillUnknown(dependencies, told, null).catch(() => say.unknownOutcome(told, say.whyUnknown(told)));
}

/** One look, without waiting: where a key stands, in the code that a rerun would end with if it sent nothing. */
export async function asItStands(
  dependencies: Dependencies,
  { scope, idempotencyKey }: Pick<Intent, 'scope' | 'idempotencyKey'>,
  after?: Outcome,
): Promise<Outcome> {
  const asked = { scope, idempotencyKey };
  const outcome = await follow(dependencies, {
    ...asked,
    timeoutMs: 0,
    ...(after === undefined ? {} : { after }),
  }).catch((cause: unknown) => {
    // That its sender is gone could not be written down: what it may have done stays.
    if (cause instanceof PixctlError) return standing(dependencies, asked, say.failed(null, cause));
    throw cause;
  });
  if (outcome.exit !== 'pending') return outcome;
  // Nobody waited: that it is accepted is all that was asked. A key that may not read it is another matter.
  if (outcome.code !== 'PENDING') return { ...outcome, exit: 'auth' };
  return movedBy(outcome) === 'on-its-way' ? { ...outcome, exit: 'ok', code: 'ACCEPTED' } : outcome;
}

/** Accepted, and not known to have ended. `read`: the last look, or why it told nothing. */
export function pending(
  intent: Intent,
  read: Withdrawal | PixctlError,
  { replayed, signal }: { readonly replayed: boolean; readonly signal?: AbortSignal | undefined },
): Outcome {
  const what = `the withdrawal ${intent.resourceId} was accepted`;
  const mayNotBeRead = isRefused(read);
  return say.outcome(
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

/** By the service, to this key: asking again would change nothing. */
const isRefused = (read: Withdrawal | PixctlError): read is PixctlError =>
  read instanceof PixctlError && read.kind === 'auth';

function stillWords(read: Withdrawal | PixctlError, signal: AbortSignal | undefined): string {
  if (!(read instanceof PixctlError))
    return `is ${read.status}${isWithdrawalStatus(read.status) ? ' still' : ', a status that the document does not show'}`;
  if (signal?.aborted) return 'was not followed to its end: the run was stopped';
  return `could not be read after that (${say.whyUnread(read)})`;
}
