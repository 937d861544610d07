/** `pixctl charge resolve <key>`: what became of a charge whose answer was lost. Sends nothing. */
import { isoTime } from '../../clock.ts';
import type { IdempotencyKey } from '../../contract/brand.ts';
import type { Charge } from '../../contract/charge.ts';
import { formatCents } from '../../contract/money.ts';
import { ConstraintError } from '../../database/port.ts';
import { usageError } from '../../errors.ts';
import { parseKey } from '../../flags/idempotency-key.ts';
import { type Intent, scopeOf } from '../../ledger/intent.ts';
import { agreedByKey, type Word } from '../../runtime/agreed.ts';
import type { Runtime } from '../../runtime.ts';
import type { SendingDependencies } from '../../sending/dependencies.ts';
import { inferredAs, record } from '../../sending/record.ts';
import { settlesIn } from '../../sending/since-sent.ts';
import { chargeView } from '../../views/charge.ts';
import { dependenciesOf, openOf, resultOf } from './keyed.ts';
import { candidatesOf, mismatch } from './keyed-candidates.ts';
import * as say from './keyed-words.ts';
import { readCharge } from './read.ts';

export interface ResolveFlags {
  readonly charge?: string;
  readonly notCreated?: boolean;
  readonly allowDuplicate?: boolean;
}

/** Without a flag: shows what it can be. Ends with 81 as long as it is not known, 0 once it is. */
export async function resolve(runtime: Runtime, keyText: string, flags: ResolveFlags): Promise<void> {
  (await runtime.output()).check(chargeView);
  const key = parseKey('<idempotency key>', keyText);
  if (flags.charge !== undefined && flags.notCreated === true)
    throw usageError('--charge and --not-created contradict each other. Nothing was changed.');
  const dependencies = await dependenciesOf(runtime, (await runtime.api()).timeoutMs);
  const intent = await openIntent(runtime, dependencies, key);
  if (intent.state !== 'UNKNOWN') return known(runtime, intent, flags);
  if (flags.charge !== undefined) return isThis(runtime, dependencies, intent, flags.charge);
  if (flags.notCreated === true) return notCreated(runtime, dependencies, intent, flags);
  return showCandidates(runtime, dependencies, intent);
}

async function openIntent(
  runtime: Runtime,
  dependencies: SendingDependencies,
  key: IdempotencyKey,
): Promise<Intent> {
  const scope = scopeOf((await runtime.config()).profile());
  const intent = await dependencies.ledger.find(scope, key);
  if (intent?.kind !== 'charge') throw say.noSuchKey(key);
  const open = await openOf(dependencies, intent);
  if (open === null) throw say.busy(intent);
  return open;
}

/** Nothing to settle: fine when the ledger agrees, a mistake when it says otherwise. */
async function known(runtime: Runtime, intent: Intent, flags: ResolveFlags): Promise<void> {
  const output = await runtime.output();
  const { idempotencyKey, resourceId } = intent;
  if (resourceId === null) {
    if (flags.charge !== undefined) throw say.isKnown(intent, 'no charge');
    return output.note(
      `The outcome is known: no charge was created with the key ${idempotencyKey} (${intent.state}).`,
    );
  }
  if (flags.notCreated === true || (flags.charge ?? resourceId) !== resourceId)
    throw say.isKnown(intent, resourceId);
  output.note(`The outcome is known: the key ${idempotencyKey} leads to ${resourceId}.`);
  await output.show(chargeView, await readCharge(runtime, resourceId));
}

async function isThis(runtime: Runtime, dependencies: SendingDependencies, intent: Intent, id: string) {
  const output = await runtime.output();
  const charge = await readCharge(runtime, id);
  const wrong = mismatch(charge, intent);
  if (wrong !== null) throw usageError(`${id} is not that charge: ${wrong}. Nothing was changed.`);
  await agreedByKey(runtime, () => wordOn(intent, `You say that it is ${id}, created ${charge.createdAt}.`));
  const change = inferredAs(id, resultOf(charge));
  try {
    if ((await record(dependencies, intent, change, 'resolved', { chargeId: id, by: 'person' })) === null)
      throw say.busy(intent);
  } catch (cause) {
    if (!(cause instanceof ConstraintError)) throw cause;
    throw usageError(`${id} belongs to another idempotency key. Nothing was changed.`);
  }
  output.note(`Recorded: the key ${intent.idempotencyKey} leads to ${id}.`);
  await output.show(chargeView, charge);
}

async function notCreated(
  runtime: Runtime,
  dependencies: SendingDependencies,
  intent: Intent,
  flags: ResolveFlags,
): Promise<void> {
  const output = await runtime.output();
  const waitMs = await settlesIn(dependencies, intent);
  if (waitMs > 0) throw say.notSettled(intent, waitMs);
  const candidates = await candidatesOf(await runtime.api(), dependencies.ledger, intent);
  if (candidates.length > 0 && flags.allowDuplicate !== true) throw say.candidates(intent, candidates);
  const consequence = 'You say that it does not exist; if it does, a rerun makes a second one.';
  await agreedByKey(runtime, () => wordOn(intent, consequence));
  const change = { state: 'NOT_SENT', reason: 'RESOLVED' } as const;
  if ((await record(dependencies, intent, change, 'resolved', { by: 'person', as: 'not-created' })) === null)
    throw say.busy(intent);
  output.note('Recorded: it was not created. The same command may be run again, and sends it.');
}

async function showCandidates(
  runtime: Runtime,
  dependencies: SendingDependencies,
  intent: Intent,
): Promise<void> {
  const output = await runtime.output();
  const candidates: Charge[] = await candidatesOf(await runtime.api(), dependencies.ledger, intent);
  await output.each(chargeView, candidates);
  throw say.undecided(intent, candidates.length, await settlesIn(dependencies, intent));
}

function wordOn(intent: Intent, consequence: string): Word {
  const sent = isoTime(intent.sentAt ?? intent.createdAt);
  const order = `The charge of ${formatCents(intent.amount)} with the key ${intent.idempotencyKey} was sent ${sent}`;
  return { order, consequence, idempotencyKey: intent.idempotencyKey };
}
