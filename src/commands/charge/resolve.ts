/** `pixctl charge resolve <key>`: settles what became of a charge whose answer was lost. Sends nothing. */
import { isoTime } from '../../clock.ts';
import { formatCents } from '../../contract/money.ts';
import { usageError } from '../../errors.ts';
import { parseKey } from '../../flags/idempotency-key.ts';
import { candidatesOf } from '../../keyed-charge/candidates.ts';
import type { Dependencies } from '../../keyed-charge/dependencies.ts';
import {
  assertAgreesWithLedger,
  findKeyedIntent,
  resolveAsCharge,
  resolveAsNotCreated,
  undecidedError,
} from '../../keyed-charge/resolve.ts';
import type { Intent } from '../../ledger/intent.ts';
import { untilShown } from '../../runtime/completed-action.ts';
import { confirmByTypingKey, type KeyConfirmation } from '../../runtime/confirm.ts';
import type { Runtime } from '../../runtime.ts';
import { chargeView } from '../../views/charge.ts';
import { openProtocol } from './protocol.ts';
import { readCharge } from './read.ts';

export interface ResolveFlags {
  readonly charge?: string;
  readonly notCreated?: boolean;
  readonly allowDuplicate?: boolean;
}

/** Without a flag, shows which charges it may be. Exits with 81 while the outcome is unknown, 0 once it is known. */
export async function resolve(runtime: Runtime, keyText: string, flags: ResolveFlags): Promise<void> {
  await runtime.output(chargeView);
  const key = parseKey('<idempotency key>', keyText);
  if (flags.charge !== undefined && flags.notCreated === true)
    throw usageError('--charge and --not-created contradict each other. Nothing was changed.');
  if (flags.allowDuplicate === true && flags.notCreated !== true)
    throw usageError('--allow-duplicate goes with --not-created only. Nothing was changed.');
  const { scope, dependencies } = await openProtocol(runtime, (await runtime.api()).timeoutMs);
  const intent = await findKeyedIntent(dependencies, scope, key);
  if (intent.state !== 'UNKNOWN') return showKnownOutcome(runtime, intent, flags);
  if (flags.charge !== undefined) return recordAsCharge(runtime, dependencies, intent, flags.charge);
  if (flags.notCreated === true) return recordAsNotCreated(runtime, dependencies, intent, flags);
  return showCandidates(runtime, dependencies, intent);
}

/** Shows a key with nothing to settle. */
async function showKnownOutcome(runtime: Runtime, intent: Intent, flags: ResolveFlags): Promise<void> {
  assertAgreesWithLedger(intent, flags);
  const output = await runtime.output();
  const { idempotencyKey, resourceId } = intent;
  if (resourceId === null)
    return output.note(
      `The outcome is known already: no charge was created with the key ${idempotencyKey} (${intent.state}).`,
    );
  output.note(`The outcome is known already: the key ${idempotencyKey} belongs to ${resourceId}.`);
  await output.show(chargeView, await readCharge(runtime, resourceId));
}

async function recordAsCharge(runtime: Runtime, dependencies: Dependencies, intent: Intent, id: string) {
  const output = await runtime.output();
  const charge = await readCharge(runtime, id);
  await resolveAsCharge(dependencies, intent, charge, () =>
    confirmByTypingKey(runtime, () =>
      confirmationOf(intent, `You say it is ${id}, created ${charge.createdAt}.`),
    ),
  );
  output.note(`Recorded: the key ${intent.idempotencyKey} belongs to ${id}.`);
  await output.show(chargeView, charge);
}

async function recordAsNotCreated(
  runtime: Runtime,
  dependencies: Dependencies,
  intent: Intent,
  { allowDuplicate = false }: ResolveFlags,
): Promise<void> {
  const output = await runtime.output();
  const consequence =
    'You say it does not exist. If it does, running the command again creates a second one.';
  const agree = () => confirmByTypingKey(runtime, () => confirmationOf(intent, consequence));
  await resolveAsNotCreated(dependencies, intent, { allowDuplicate, agree });
  output.note('Recorded: it was not created. Run the same command again to send it.');
}

async function showCandidates(runtime: Runtime, dependencies: Dependencies, intent: Intent): Promise<void> {
  const output = await runtime.output();
  const candidates = await candidatesOf(dependencies, intent);
  const error = await undecidedError(dependencies, intent, candidates.length);
  await untilShown(output, output.each(chargeView, candidates), error);
  throw error;
}

function confirmationOf(intent: Intent, consequence: string): KeyConfirmation {
  const sent = isoTime(intent.sentAt ?? intent.createdAt);
  const order = `The charge of ${formatCents(intent.amount)} with the key ${intent.idempotencyKey} was sent ${sent}`;
  return { order, consequence, idempotencyKey: intent.idempotencyKey };
}
