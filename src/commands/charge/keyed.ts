/**
 * `charge create --idempotency-key`: one charge for one key, kept in the ledger because the service knows no
 * such key. The states are those of a withdrawal; no byte leaves before SENDING is durable.
 */
import { randomUUID } from 'node:crypto';
import { provesNothing } from '../../api/classify.ts';
import type { Cents, IdempotencyKey } from '../../contract/brand.ts';
import type { Charge, CreateChargeBody } from '../../contract/charge.ts';
import { ConstraintError } from '../../database/port.ts';
import { PixctlError } from '../../errors.ts';
import { type Intent, scopeOf } from '../../ledger/intent.ts';
import { type Change, Overtaken } from '../../ledger/ledger.ts';
import { systemOwners } from '../../owner/this-process.ts';
import type { Runtime } from '../../runtime.ts';
import { type Departure, departureFrom, markDeparture } from '../../sending/departure.ts';
import type { SendingDependencies } from '../../sending/dependencies.ts';
import { record } from '../../sending/record.ts';
import { abandon, isBeingSent } from '../../sending/sender.ts';
import { sendingEvent } from '../../sending/since-sent.ts';
import * as say from './keyed-words.ts';
import { readCharge } from './read.ts';

export interface Keyed {
  readonly charge: Charge;
  /** True when the key had its charge already, and nothing was sent. */
  readonly replayed: boolean;
}

/**
 * The charge of the key: the one it has, or a new one. Rejects with 85 for a key that stands for something
 * else, 75 while another process sends it, 81 when its outcome is not known.
 */
export async function createOnce(
  runtime: Runtime,
  key: IdempotencyKey,
  body: CreateChargeBody,
  timeoutMs: number,
): Promise<Keyed> {
  const dependencies = await dependenciesOf(runtime, timeoutMs);
  const { ledger } = dependencies;
  const scope = scopeOf((await runtime.config()).profile());
  const request = canonical(body);
  const id = randomUUID();
  const amount = body.amount as Cents;
  const event = { id: randomUUID(), at: runtime.clock.now(), what: 'planned' };
  const { intent } = await ledger.plan(
    { id, kind: 'charge', scope, idempotencyKey: key, amount, request },
    event,
  );
  if (intent.kind !== 'charge' || intent.request !== request) throw say.reused(intent);
  switch (intent.state) {
    case 'ACCEPTED':
    case 'COMPLETED':
    case 'FAILED':
      return { charge: await readCharge(runtime, intent.resourceId ?? ''), replayed: true };
    case 'SENDING':
    case 'UNKNOWN': {
      const open = await openOf(dependencies, intent);
      if (open === null) throw say.busy(intent);
      if (open.state === 'UNKNOWN') throw say.unknown(open);
      return { charge: await send(runtime, dependencies, open, body), replayed: false };
    }
    case 'PLANNED':
    case 'REFUSED':
    case 'NOT_SENT':
      return { charge: await send(runtime, dependencies, intent, body), replayed: false };
  }
}

/**
 * A charge whose send was begun, once its process is gone: UNKNOWN, or NOT_SENT where no byte had left. Null
 * while it is being sent, and when somebody else changed it.
 */
export async function openOf(dependencies: SendingDependencies, intent: Intent): Promise<Intent | null> {
  if (intent.state !== 'SENDING') return intent;
  return (await isBeingSent(dependencies, intent)) ? null : abandon(dependencies, intent);
}

/** The same wish is the same text, whatever the order of its fields. */
const canonical = ({ method, amount, description, customerId, expiresIn }: CreateChargeBody): string =>
  JSON.stringify({ method, amount, description, customerId, expiresIn });

async function send(
  runtime: Runtime,
  dependencies: SendingDependencies,
  planned: Intent,
  body: CreateChargeBody,
): Promise<Charge> {
  const { ledger, owners, requestTimeoutMs } = dependencies;
  const departure = departureFrom(dependencies);
  const begun = await ledger.send(
    planned,
    { owner: owners.self, at: departure.at, expectedFence: 0, baseline: [] },
    sendingEvent(dependencies, departure.at),
  );
  if (begun.kind !== 'sending') throw say.busy(planned);
  let current = begun.intent;
  const beforeFirstByte = () =>
    depart(departure, () => {
      current = markDeparture(dependencies, current);
    });
  let charge: Charge;
  try {
    charge = await (await runtime.api()).call(
      'createCharge',
      { body },
      { timeoutMs: requestTimeoutMs, beforeFirstByte },
    );
  } catch (error) {
    // Called off: the ledger tells more about it than this run can.
    if (error instanceof PixctlError && error.cause instanceof Overtaken) throw error;
    const change = changeAfter(error, departure.left);
    await note(dependencies, current, change);
    throw change.state === 'UNKNOWN' && error instanceof PixctlError && error.kind !== 'unexpected'
      ? say.unknown(current, error)
      : error;
  }
  if (!isOf(charge, body)) {
    // Somebody else's answer (a cache, a mixed-up proxy) is no evidence about ours.
    await note(dependencies, current, { state: 'UNKNOWN', reason: 'MALFORMED' });
    throw say.unknown(current, say.anothers(charge));
  }
  return keep(dependencies, current, charge);
}

/** Writes the answer down: the key leads to it from now on. Throws 81 where that could not be done. */
async function keep(dependencies: SendingDependencies, sent: Intent, charge: Charge): Promise<Charge> {
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

/** What the ledger keeps of a charge: neither its picture nor its code. */
export const resultOf = ({ imageBase64: _, brCode: __, ...kept }: Charge): string => JSON.stringify(kept);

/** Its amount, and its customer where it shows one. */
const isOf = ({ amount, customer }: Charge, body: CreateChargeBody): boolean =>
  amount === body.amount &&
  (body.customerId === undefined || customer == null || customer.id === body.customerId);

/** What a failed call says of the send: lost, refused by an answer, or never left. */
function changeAfter(error: unknown, left: boolean): Change {
  if (!(error instanceof PixctlError)) return { state: 'UNKNOWN', reason: 'UNEXPECTED' };
  const { kind, code: reason, httpStatus } = error;
  if (kind === 'unknown' || kind === 'unexpected') return { state: 'UNKNOWN', reason };
  if (provesNothing(error)) return { state: 'UNKNOWN', reason };
  if (httpStatus !== undefined) return { state: 'REFUSED', reason };
  return { state: left ? 'UNKNOWN' : 'NOT_SENT', reason };
}

/** `untold`: it could not be written, and is on stderr. `claimed`: another key leads to the id that it names. */
async function note(
  dependencies: SendingDependencies,
  intent: Intent,
  change: Change,
): Promise<'kept' | 'untold' | 'claimed'> {
  try {
    if ((await record(dependencies, intent, change, change.state.toLowerCase())) !== null) return 'kept';
  } catch (cause) {
    if (cause instanceof ConstraintError) return 'claimed';
    // Told below, like a row that somebody else has changed meanwhile.
  }
  dependencies.rescue(say.lastWords(intent, change));
  return 'untold';
}

/** A process that was suspended between its commit and its send, or called off, must not send any more. */
function depart(departure: Departure, mark: () => void): void {
  try {
    departure.check(mark);
  } catch (cause) {
    throw new PixctlError('later', 'HELD_UP', 'This process was held up before the send. Nothing was sent.', {
      hint: 'Run the same command again.',
      cause,
    });
  }
}

export async function dependenciesOf(runtime: Runtime, timeoutMs: number): Promise<SendingDependencies> {
  const [output, ledger, owners] = await Promise.all([runtime.output(), runtime.ledger(), systemOwners()]);
  return {
    ledger,
    owners,
    clock: runtime.clock,
    newId: randomUUID,
    rescue: (line) => output.warn(line),
    requestTimeoutMs: timeoutMs,
    signal: runtime.signal,
  };
}
