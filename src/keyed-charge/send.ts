/**
 * Sends a keyed charge once: SENDING on disk, the departure marked before the first byte, one POST, and its outcome
 * recorded before anybody is told.
 */
import { mayHaveTakenEffect } from '../api/refusal.ts';
import type { Charge, CreateChargeBody } from '../contract/charge.ts';
import { ConstraintError } from '../database/port.ts';
import { asSentence, PixctlError } from '../errors.ts';
import { canTransition, type Intent, type IntentState } from '../ledger/intent.ts';
import { type IntentChange, OvertakenError } from '../ledger/ledger.ts';
import { beginSending } from '../sending/begin-sending.ts';
import { createDeparture, type Departure, lateWords, markDeparture } from '../sending/departure.ts';
import { recordWithRetry } from '../sending/record-with-retry.ts';
import * as chargeErrors from './charge-errors.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Returns the charge that the service created. Rejects with 75 if another process began it, 81 if the outcome is
 * unknown.
 */
export async function send(
  dependencies: Dependencies,
  planned: Intent,
  body: CreateChargeBody,
): Promise<Charge> {
  const { api, requestTimeoutMs } = dependencies;
  const departure = createDeparture(dependencies);
  const begun = await beginSending(dependencies, planned, departure, { expectedFence: 0, baseline: [] });
  if (begun.kind !== 'sending') throw chargeErrors.busy(planned);
  let current = begun.intent;
  const beforeFirstByte = () =>
    depart(departure, () => {
      current = markDeparture(dependencies, current);
    });
  let charge: Charge;
  try {
    charge = await api.call('createCharge', { body }, { timeoutMs: requestTimeoutMs, beforeFirstByte });
  } catch (error) {
    // Called off: the ledger knows more about it than this run does.
    if (error instanceof PixctlError && error.cause instanceof OvertakenError) throw error;
    const change = changeAfter(error, departure.hasDeparted);
    await recordOrLog(dependencies, current, change);
    throw change.state === 'UNKNOWN' && error instanceof PixctlError && error.kind !== 'unexpected'
      ? chargeErrors.outcomeUnknown(current, error)
      : error;
  }
  if (!matchesBody(charge, body)) {
    // An answer to somebody else (from a cache, or a proxy that mixed two up) is no evidence about our request.
    await recordOrLog(dependencies, current, { state: 'UNKNOWN', reason: 'MALFORMED' });
    throw chargeErrors.outcomeUnknown(current, chargeErrors.otherCharge(charge));
  }
  return recordCharge(dependencies, current, charge);
}

/** Records the answer: from now on the key stands for this charge. Throws 81 if that fails. */
async function recordCharge(dependencies: Dependencies, sent: Intent, charge: Charge): Promise<Charge> {
  const change = {
    state: 'ACCEPTED',
    resourceId: charge.id,
    result: resultOf(charge),
    reason: null,
  } as const;
  switch (await recordOrLog(dependencies, sent, change)) {
    case 'kept':
      return charge;
    case 'untold':
      throw chargeErrors.unrecorded(sent, charge);
    case 'claimed':
      await recordOrLog(dependencies, sent, { state: 'UNKNOWN', reason: 'ID_CLAIMED' });
      throw chargeErrors.outcomeUnknown(sent, chargeErrors.idClaimed(charge));
  }
}

/** Returns what the ledger keeps of a charge: everything but its picture and its code. */
export const resultOf = ({ imageBase64: _, brCode: __, ...kept }: Charge): string => JSON.stringify(kept);

/** Whether the amount matches, and the customer if the charge shows one. */
const matchesBody = ({ amount, customer }: Charge, body: CreateChargeBody): boolean =>
  amount === body.amount &&
  (body.customerId === undefined || customer == null || customer.id === body.customerId);

/** Says what a failed call means for the send: never left (whatever the error), refused by an answer, or lost. */
function changeAfter(error: unknown, left: boolean): IntentChange {
  const reason = error instanceof PixctlError ? error.code : 'UNEXPECTED';
  if (!left) return { state: 'NOT_SENT', reason };
  return { state: isRefusal(error) ? 'REFUSED' : 'UNKNOWN', reason };
}

const isRefusal = (error: unknown): boolean =>
  error instanceof PixctlError &&
  error.httpStatus !== undefined &&
  error.kind !== 'unknown' &&
  error.kind !== 'unexpected' &&
  !mayHaveTakenEffect(error);

/**
 * Records a change. `untold`: it could not be written, and is on stderr. `claimed`: another key leads to the id that it
 * names.
 */
async function recordOrLog(
  dependencies: Dependencies,
  intent: Intent,
  change: IntentChange,
): Promise<'kept' | 'untold' | 'claimed'> {
  try {
    if ((await write(dependencies, intent, change)) !== null) return 'kept';
  } catch (cause) {
    if (cause instanceof ConstraintError) return 'claimed';
    // Reported below, as is a row that somebody else has changed in the meantime.
  }
  dependencies.logLastResort(chargeErrors.lastResortLine(intent, change));
  return 'untold';
}

/**
 * Writes a change, even if another process took this one for gone (its clock is ahead, say) or a person said that the
 * charge was not created: what the answer to this very send says still counts. Null: the ledger says otherwise, and
 * that stands.
 */
async function write(
  dependencies: Dependencies,
  intent: Intent,
  change: IntentChange,
): Promise<Intent | null> {
  const what = change.state.toLowerCase();
  const written = await recordWithRetry(dependencies, intent, change, what);
  if (written !== null) return written;
  const { scope, idempotencyKey, sentAt, owner } = intent;
  const current = await dependencies.ledger.find(scope, idempotencyKey);
  const isSameSend = current?.sentAt === sentAt && JSON.stringify(current.owner) === JSON.stringify(owner);
  if (current === null || !isSameSend || !isOpenTo(current, change)) return null;
  return recordWithRetry(dependencies, current, change, `late-${what}`);
}

const isOpenTo = ({ state }: Intent, change: IntentChange): boolean =>
  state !== change.state && unanswered.includes(state) && canTransition(state, change.state);

/** What another run may have made of a send in the meantime without an answer to it. */
const unanswered: readonly IntentState[] = ['UNKNOWN', 'NOT_SENT'];

/** Keeps a process from sending if it was suspended between its commit and its send, or called off. */
function depart(departure: Departure, mark: () => void): void {
  try {
    departure.check(mark);
  } catch (cause) {
    // The mark could not be written: a full disk is reported as one, and nothing left.
    if (cause instanceof PixctlError) throw cause;
    throw new PixctlError('later', 'HELD_UP', `${asSentence(lateWords)} Nothing was sent.`, {
      hint: 'Run the same command again.',
      cause,
    });
  }
}
