/** What stands in the way of a send according to the ledger alone, for a person who is about to be asked something. */
import type { IdempotencyKey } from '../../contract/brand.ts';
import { formatCents } from '../../contract/money.ts';
import { asSentence } from '../../errors.ts';
import type { Scope } from '../../ledger/intent.ts';
import type { TimingDependencies } from '../../sending/send-timing.ts';
import { isBeingSent, stateOnceGone } from '../../sending/still-sending.ts';
import * as outcomes from '../outcome/create-outcome.ts';

export interface OpenWithdrawal {
  readonly idempotencyKey: IdempotencyKey;
  /** Full sentences. */
  readonly words: string;
}

/**
 * Returns the scope's withdrawal that is being sent, or whose outcome no run has learned; null if there is none. Writes
 * nothing and asks nobody: a run looks for itself (`checkLedger`), and may settle it.
 */
export async function findOpenWithdrawal(
  dependencies: TimingDependencies,
  scope: Scope,
): Promise<OpenWithdrawal | null> {
  const open = await dependencies.ledger.findOpen(scope);
  if (open === null) return null;
  const { idempotencyKey } = open;
  const which = `the withdrawal with the key ${idempotencyKey} (${formatCents(open.amount)})`;
  if (open.state === 'SENDING' && (await isBeingSent(dependencies, open)))
    return {
      idempotencyKey,
      words: asSentence(
        `${which} is being sent by another process: until that is over, nothing else is sent`,
      ),
    };
  if (open.state === 'SENDING' && stateOnceGone(dependencies, open) === 'NOT_SENT') return null;
  // A send that nobody has ended yet has no recorded reason, and its process is gone.
  const why = outcomes.unknownReason(open.state === 'SENDING' ? { ...open, reason: 'OWNER_GONE' } : open);
  return {
    idempotencyKey,
    words: `The outcome of ${which} is unknown: ${why}. A run looks for it first, and sends nothing before it is known.`,
  };
}
