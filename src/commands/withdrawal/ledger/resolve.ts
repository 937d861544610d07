/** `pixctl withdrawal resolve <key>`: records a person's decision about an outcome that the list does not settle. */
import { formatCents } from '../../../contract/money.ts';
import { usageError } from '../../../errors.ts';
import { parseKey } from '../../../flags/idempotency-key.ts';
import { MissingInputError } from '../../../flags/mistakes/missing-input-error.ts';
import type { Intent } from '../../../ledger/intent.ts';
import { confirmByTypingKey, type KeyConfirmation } from '../../../runtime/confirm.ts';
import type { Runtime } from '../../../runtime.ts';
import { requireKind } from '../../../sending/no-such-key.ts';
import { maskedKey } from '../../../views/withdrawal.ts';
import { type ResolveRequest, resolve as resolveIntent } from '../../../withdrawal/resolve.ts';
import { beingSentOutcome } from '../../../withdrawal/settling/as-unknown.ts';
import { wasAccepted } from '../../../withdrawal/settling/check-ledger.ts';
import { openProtocol } from '../protocol.ts';
import { orderOf, receiptView } from '../receipt.ts';
import { showOutcome } from '../show-outcome.ts';

export interface ResolveFlags {
  readonly withdrawal?: string;
  readonly notSent?: boolean;
  readonly shortList?: boolean;
}

export async function resolve(runtime: Runtime, keyText: string, flags: ResolveFlags): Promise<void> {
  await runtime.output(receiptView);
  const idempotencyKey = parseKey('<idempotency key>', keyText);
  const verdict = verdictOf(flags);
  const { scope, dependencies } = await openProtocol(runtime);
  const intent = requireKind(
    'withdrawal',
    idempotencyKey,
    await dependencies.ledger.find(scope, idempotencyKey),
  );
  // A word given now would count after the request has left.
  const sending = await beingSentOutcome(dependencies, intent);
  if (sending !== null) return showOutcome(runtime, sending, orderOf(intent));
  // Nobody is asked about a withdrawal that the service is known to have. Any other may need the decision by the time
  // that it is given.
  if (!wasAccepted(intent)) await confirmByTypingKey(runtime, () => confirmationOf(intent, verdict));
  const { fence } = intent;
  const outcome = await resolveIntent(dependencies, { scope, idempotencyKey, verdict, fence });
  await showOutcome(runtime, outcome, orderOf(outcome.intent ?? intent));
}

function verdictOf({ withdrawal, notSent, shortList = false }: ResolveFlags): ResolveRequest['verdict'] {
  if ((withdrawal === undefined) === (notSent !== true)) {
    const message = 'Give either --withdrawal <id> or --not-sent. Nothing was changed.';
    const hint = 'pixctl withdrawal list shows what the service has.';
    if (notSent === true || shortList) throw usageError(message, hint);
    throw new MissingInputError('--withdrawal', message, { hint });
  }
  if (withdrawal === undefined) return { kind: 'not-sent', shortList };
  if (shortList) throw usageError('--short-list goes with --not-sent only. Nothing was changed.');
  return { kind: 'withdrawal', id: withdrawal };
}

/** Words the question. A wrong "not sent" pays twice. */
function confirmationOf(intent: Intent, verdict: ResolveRequest['verdict']): KeyConfirmation {
  const order = `${formatCents(intent.amount)} to ${maskedKey(orderOf(intent))}, key ${intent.idempotencyKey}, is ${intent.state}`;
  const consequence =
    verdict.kind === 'not-sent'
      ? 'If it did reach the service, a rerun PAYS TWICE. You say it was never sent.'
      : `You say it is withdrawal ${verdict.id}.`;
  return { order, consequence, idempotencyKey: intent.idempotencyKey };
}
