/**
 * The last word of a run that does not wait. For a rerun, that is what has become of the withdrawal since. Sends
 * nothing.
 */
import { isWithdrawalStatus } from '../contract/withdrawal.ts';
import { asSentence, PixctlError } from '../errors.ts';
import { keyLine } from '../flags/command-line.ts';
import type { Intent } from '../ledger/intent.ts';
import type { Dependencies } from './dependencies.ts';
import { endOf, pending, readOnce } from './follow.ts';
import type { Outcome } from './outcome/outcome.ts';
import * as say from './outcome/say.ts';

/**
 * Returns a rerun's outcome as the service now has the withdrawal: still accepted or COMPLETED is `ok`, FAILED is 83,
 * and a status that the document does not show is 82, even in the answer to this run's own send. Any other outcome
 * stays as it is. If the withdrawal cannot be read, the stored outcome stands and says so: a rerun does not need the
 * service.
 */
export async function refresh(dependencies: Dependencies, outcome: Outcome): Promise<Outcome> {
  const { intent } = outcome;
  if (outcome.exit !== 'ok' || intent?.state !== 'ACCEPTED') return outcome;
  // Accepted by this very run: the answer is all there is.
  if (!outcome.replayed) return asRecorded(outcome);
  dependencies.onPhase?.('following');
  const read = await readOnce(dependencies, intent);
  if (read instanceof PixctlError) return notLookedAt(asRecorded(outcome), intent, read);
  const ended = await endOf(dependencies, intent, read, true);
  if (ended !== null) return ended;
  return isWithdrawalStatus(read.status)
    ? { ...outcome, withdrawal: read }
    : pending(intent, read, { replayed: true });
}

/**
 * Judges an outcome by the record that it already has, without reading again. `ok` for an accepted one becomes 82 if
 * its status is one that the document does not show, because the money may have gone back.
 */
export function asRecorded(outcome: Outcome): Outcome {
  const { exit, intent, withdrawal, replayed } = outcome;
  if (exit !== 'ok' || intent?.state !== 'ACCEPTED') return outcome;
  const isShown = withdrawal === null || isWithdrawalStatus(withdrawal.status);
  return isShown ? outcome : pending(intent, withdrawal, { replayed });
}

const notLookedAt = (outcome: Outcome, { idempotencyKey }: Intent, error: PixctlError): Outcome => ({
  ...outcome,
  message: `${asSentence(outcome.message)} Its present state could not be read (${say.whyUnread(error)}).`,
  hint: `Check again: ${keyLine(['pixctl', 'withdrawal', 'status'], idempotencyKey)}`,
});
