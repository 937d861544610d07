/** What every look at an intent begins with, whoever looks: whether anything is still open. */
import type { Intent } from '../../ledger/intent.ts';
import { isBeingSent, recordOwnerGone } from '../../sending/still-sending.ts';
import type { Dependencies } from '../dependencies.ts';
import * as outcomes from '../outcome/create-outcome.ts';
import type { Outcome } from '../outcome/outcome.ts';
import { wasAccepted } from './check-ledger.ts';
import { refusalWords } from './last-answer.ts';

/** Returns the outcome (75) if another process is sending the intent, so its request may still leave; else null. */
export const beingSentOutcome = async (
  dependencies: Dependencies,
  intent: Intent,
): Promise<Outcome | null> =>
  intent.state === 'SENDING' && (await isBeingSent(dependencies, intent))
    ? outcomes.busy(intent, 'it is being sent by another process')
    : null;

/** Returns the intent as UNKNOWN, or the outcome to report if it is not; null if somebody else changed it. */
export async function toUnknownOrOutcome(
  dependencies: Dependencies,
  intent: Intent,
): Promise<Intent | Outcome | null> {
  if (intent.kind !== 'withdrawal')
    return outcomes.createOutcome(
      'notFound',
      'NOT_A_WITHDRAWAL',
      `the key ${intent.idempotencyKey} is that of a charge`,
      {
        intent,
      },
    );
  if (intent.state === 'UNKNOWN') return intent;
  if (intent.state === 'SENDING') {
    const sending = await beingSentOutcome(dependencies, intent);
    if (sending !== null) return sending;
    const left = await recordOwnerGone(dependencies, intent);
    return left?.state === 'NOT_SENT' ? outcomes.neverMoved(left) : left;
  }
  if (wasAccepted(intent)) return outcomes.acceptedOutcome(intent, true);
  // These are only words: if they cannot be read, the outcome stands without them.
  return outcomes.neverMoved(intent, await refusalWords(dependencies.ledger, intent).catch(() => null));
}
