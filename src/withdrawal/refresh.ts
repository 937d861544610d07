/**
 * The last word of a run that does not wait. For a rerun, that is what has become of the withdrawal since. Sends
 * nothing.
 */
import { isWithdrawalStatus } from '../contract/statuses.ts';
import { asSentence, PixctlError } from '../errors.ts';
import { commandLineWithKey } from '../flags/command-line.ts';
import type { Intent } from '../ledger/intent.ts';
import type { Dependencies } from './dependencies.ts';
import { endedOutcome, pendingOutcome, readOnce } from './follow.ts';
import * as outcomes from './outcome/create-outcome.ts';
import type { Outcome } from './outcome/outcome.ts';

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
  if (!outcome.replayed) return pendingIfUndocumented(outcome);
  dependencies.onPhase?.('following');
  const read = await readOnce(dependencies, intent);
  if (read instanceof PixctlError) return unrefreshedOutcome(pendingIfUndocumented(outcome), intent, read);
  const ended = await endedOutcome(dependencies, intent, read, true);
  if (ended !== null) return ended;
  return isWithdrawalStatus(read.status)
    ? { ...outcome, withdrawal: read }
    : pendingOutcome(intent, read, { replayed: true });
}

/**
 * Judges an outcome by the record that it already has, without reading again. `ok` for an accepted one becomes 82 if
 * its status is one that the document does not show, because the money may have gone back.
 */
export function pendingIfUndocumented(outcome: Outcome): Outcome {
  const { exit, intent, withdrawal, replayed } = outcome;
  if (exit !== 'ok' || intent?.state !== 'ACCEPTED') return outcome;
  const isShown = withdrawal === null || isWithdrawalStatus(withdrawal.status);
  return isShown ? outcome : pendingOutcome(intent, withdrawal, { replayed });
}

const unrefreshedOutcome = (outcome: Outcome, { idempotencyKey }: Intent, error: PixctlError): Outcome => ({
  ...outcome,
  message: `${asSentence(outcome.message)} Its present state could not be read (${outcomes.readFailureReason(error)}).`,
  hint: [
    ...(error.kind === 'notFound' && error.hint !== undefined ? [error.hint] : []),
    `Check again: ${commandLineWithKey(['pixctl', 'withdrawal', 'status'], idempotencyKey)}`,
  ].join(' '),
});
