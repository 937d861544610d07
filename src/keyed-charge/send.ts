/**
 * Sends a keyed charge once: SENDING on disk, the departure marked before the first byte, one POST, and its outcome
 * recorded before anybody is told.
 */
import { provesNothing } from '../api/refusal.ts';
import type { Charge, CreateChargeBody } from '../contract/charge.ts';
import { ConstraintError } from '../database/port.ts';
import { asSentence, PixctlError } from '../errors.ts';
import { type Intent, type IntentState, mayMove } from '../ledger/intent.ts';
import { type Change, Overtaken } from '../ledger/ledger.ts';
import { begin } from '../sending/begin.ts';
import { type Departure, departureFrom, lateWords, markDeparture } from '../sending/departure.ts';
import { record } from '../sending/record.ts';
import type { Dependencies } from './dependencies.ts';
import * as say from './say.ts';

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
  const departure = departureFrom(dependencies);
  const begun = await begin(dependencies, planned, departure, { expectedFence: 0, baseline: [] });
  if (begun.kind !== 'sending') throw say.busy(planned);
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
    if (error instanceof PixctlError && error.cause instanceof Overtaken) throw error;
    const change = changeAfter(error, departure.left);
    await note(dependencies, current, change);
    throw change.state === 'UNKNOWN' && error instanceof PixctlError && error.kind !== 'unexpected'
      ? say.unknown(current, error)
      : error;
  }
  if (!isOf(charge, body)) {
    // An answer to somebody else (from a cache, or a proxy that mixed two up) is no evidence about our request.
    await note(dependencies, current, { state: 'UNKNOWN', reason: 'MALFORMED' });
    throw say.unknown(current, say.anothers(charge));
  }
  return keep(dependencies, current, charge);
}

/** Records the answer: from now on the key stands for this charge. Throws 81 if that fails. */
async function keep(dependencies: Dependencies, sent: Intent, charge: Charge): Promise<Charge> {
  const change = {
    state: 'ACCEPTED',
    resourceId: charge.id,
    result: resultOf(charge),
    reason: null,
  } as const;
  switch (await note(dependencies, sent, change)) {
    case 'kept':
      return charge;
    case 'untold':
      throw say.unrecorded(sent, charge);
    case 'claimed':
      await note(dependencies, sent, { state: 'UNKNOWN', reason: 'ID_CLAIMED' });
      throw say.unknown(sent, say.claimed(charge));
  }
}

/** Returns what the ledger keeps of a charge: everything but its picture and its code. */
export const resultOf = ({ imageBase64: _, brCode: __, ...kept }: Charge): string => JSON.stringify(kept);

/** Whether the amount matches, and the customer if the charge shows one. */
const isOf = ({ amount, customer }: Charge, body: CreateChargeBody): boolean =>
  amount === body.amount &&
  (body.customerId === undefined || customer == null || customer.id === body.customerId);

/** Says what a failed call means for the send: lost, refused by an answer, or never left. */
function changeAfter(error: unknown, left: boolean): Change {
  if (!(error instanceof PixctlError)) return { state: 'UNKNOWN', reason: 'UNEXPECTED' };
  const { kind, code: reason, httpStatus } = error;
  if (kind === 'unknown' || kind === 'unexpected') return { state: 'UNKNOWN', reason };
  if (provesNothing(error)) return { state: 'UNKNOWN', reason };
  if (httpStatus !== undefined) return { state: 'REFUSED', reason };
  return { state: left ? 'UNKNOWN' : 'NOT_SENT', reason };
}

/**
 * Records a change. `untold`: it could not be written, and is on stderr. `claimed`: another key leads to the id that it
 * names.
 */
async function note(
  dependencies: Dependencies,
  intent: Intent,
  change: Change,
): Promise<'kept' | 'untold' | 'claimed'> {
  try {
    if ((await write(dependencies, intent, change)) !== null) return 'kept';
  } catch (cause) {
    if (cause instanceof ConstraintError) return 'claimed';
    // Reported below, as is a row that somebody else has changed in the meantime.
  }
  dependencies.rescue(say.lastWords(intent, change));
  return 'untold';
}

/**
 * Writes a change, even if another process took this one for gone (its clock is ahead, say) or a person said that the
 * charge was not created: what the answer to this very send says still counts. Null: the ledger says otherwise, and
 * that stands.
 */
async function write(dependencies: Dependencies, intent: Intent, change: Change): Promise<Intent | null> {
  const what = change.state.toLowerCase();
  const written = await record(dependencies, intent, change, what);
  if (written !== null) return written;
  const { scope, idempotencyKey, sentAt, owner } = intent;
  const current = await dependencies.ledger.find(scope, idempotencyKey);
  const isSameSend = current?.sentAt === sentAt && JSON.stringify(current.owner) === JSON.stringify(owner);
  if (current === null || !isSameSend || !isOpenTo(current, change)) return null;
  return record(dependencies, current, change, `late-${what}`);
}

const isOpenTo = ({ state }: Intent, change: Change): boolean =>
  state !== change.state && unanswered.includes(state) && mayMove(state, change.state);

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
