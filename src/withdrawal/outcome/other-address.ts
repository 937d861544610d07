/**
 * What to report about the same order under the same key at another address, which may be another name of the same
 * service.
 */
import { formatCents } from '../../contract/money.ts';
import { configError, type PixctlError } from '../../errors.ts';
import { commandLineWithKey } from '../../flags/command-line.ts';
import { addressSuffixOf, type Intent, isOpen, labelOf } from '../../ledger/intent.ts';
import { busy, createOutcome, failed } from './create-outcome.ts';
import type { Outcome } from './outcome.ts';
import { ownerElsewhereOf } from './owner-elsewhere.ts';
import { resolveLine } from './resolve-line.ts';

/** 78: its outcome at the other address is not known. `isNamed`: somebody has named the label of this run. */
export function unknownElsewhereError(
  { scope, idempotencyKey, amount, state }: Intent,
  isNamed: boolean,
): PixctlError {
  const address = addressSuffixOf(scope).trim();
  const settle = commandLineWithKey(
    ['pixctl', 'withdrawal', 'reconcile'],
    idempotencyKey,
    '--base-url',
    address,
  );
  // At another address than the current profile's, the label would be `default` unless it is named.
  const asThat = isNamed ? '' : ` with PIXCTL_MERCHANT=${labelOf(scope)}`;
  return configError(
    'OTHER_ADDRESS',
    `the outcome of this same withdrawal (key ${idempotencyKey}, ${formatCents(amount)}, ${state}) at another address, ${address}, is not known, so it may be sent twice from here; nothing was sent`,
    `Settle it first${asThat}: ${settle}. If that is another service: use another idempotency key here, or another merchant label (PIXCTL_MERCHANT). If that address is no longer in use, so that it cannot be settled: look in the dashboard and the bank statement, and use another key only if they do not show it.`,
  );
}

/** The words of a run whose list was read before another send of the order was over. */
export const justSent = 'another process has just sent the same order';

/**
 * What stops the order because of `other`, the same at another address: 78 while its outcome there is not known, 75 if
 * it was refused a moment ago. Null if it was paid there.
 */
export function stopElsewhere(
  intent: Intent | null,
  other: Intent,
): { readonly kind: 'done' | 'busy'; readonly outcome: Outcome } | null {
  if (isOpen(other)) return { kind: 'done', outcome: failed(intent, unknownElsewhereError(other, false)) };
  return other.state === 'REFUSED' ? { kind: 'busy', outcome: busy(intent, justSent) } : null;
}

/**
 * 86: it was accepted at the other address, and has perhaps failed since. `intent`: what the ledger has for the key at
 * this address. Without one, as in a rehearsal, `resolve` would not know the key. `allowDuplicate`: the run was given
 * the flag, which does not cover what nobody had reported before.
 */
export function paidElsewhereOutcome(intent: Intent | null, paid: Intent, allowDuplicate: boolean): Outcome {
  const { scope, idempotencyKey, amount, resourceId, state } = paid;
  const isOne = 'If both addresses are one service';
  const word = resolveLine(paid, '--withdrawal', resourceId ?? '');
  const correction = ` ${intent === null ? `${isOne}, it is not to be sent again.` : `${isOne}: ${word}`}`;
  return createOutcome(
    'duplicate',
    'POSSIBLE_DUPLICATE',
    `this same withdrawal (key ${idempotencyKey}, ${formatCents(amount)}) was ${state === 'COMPLETED' ? 'paid' : 'accepted'} at another address, ${addressSuffixOf(scope).trim()} (${resourceId}); nothing was sent`,
    {
      intent,
      elsewhere: [ownerElsewhereOf(resourceId ?? '', paid)],
      correction,
      hint: `If they are two services, or it is to be paid again, ${allowDuplicate ? notYet : 'confirm with --allow-duplicate.'}${correction}`,
    },
  );
}

const notYet =
  'run the command once without --allow-duplicate, which reports this, and then with it: the flag covers only what was reported before.';
