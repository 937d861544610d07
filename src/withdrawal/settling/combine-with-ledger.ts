/** What to report for a run that ended before it had learned or sent anything: an earlier run may have paid. */
import type { IdempotencyKey } from '../../contract/brand.ts';
import { asSentence, orError, PixctlError } from '../../errors.ts';
import type { Intent, Scope } from '../../ledger/intent.ts';
import type { Dependencies } from '../dependencies.ts';
import * as outcomes from '../outcome/create-outcome.ts';
import type { Outcome } from '../outcome/outcome.ts';
import { isSameOrder, wasAccepted } from './check-ledger.ts';

export interface RequestedKey {
  readonly scope: Scope;
  readonly idempotencyKey: IdempotencyKey;
  /** Canonical body, if the order is known and not only its key. */
  readonly body?: string;
}

/**
 * Combines `ended` with what the ledger has for the key. What the service has is reported as it is, what may have
 * happened is 81, and if the ledger cannot be read nothing at all is said about money.
 */
export async function combineWithLedger(
  { ledger }: Pick<Dependencies, 'ledger'>,
  { scope, idempotencyKey, body }: RequestedKey,
  ended: Outcome,
): Promise<Outcome> {
  const intent = await orError(ledger.find(scope, idempotencyKey));
  if (intent instanceof PixctlError) return { ...ended, unread: true };
  if (intent === null) return ended;
  if (body !== undefined && !isSameOrder(intent, body)) return outcomes.keyReused(intent);
  if (intent.kind !== 'withdrawal') return { ...ended, intent };
  if (wasAccepted(intent)) return outcomes.acceptedOutcome(intent, true);
  if (intent.state !== 'SENDING' && intent.state !== 'UNKNOWN') return { ...ended, intent };
  const state = intent.state === 'SENDING' ? 'it is being sent' : outcomes.unknownReason(intent);
  return outcomes.unknownOutcome(
    intent,
    `${state}, and this run ended before it knew more (${outcomes.readFailureReason(ended)})`,
    { hint: mendedFirst(intent, ended) },
  );
}

/**
 * Names what a person has to mend (a key, the settings, the ledger) before the next run, which would otherwise end the
 * same way.
 */
function mendedFirst(intent: Intent, { exit, hint }: Outcome): string | undefined {
  if (hint === undefined || !(exit === 'storage' || exit === 'config' || exit === 'auth')) return undefined;
  return `${asSentence(hint)} ${outcomes.reconcileHint(intent)}`;
}
