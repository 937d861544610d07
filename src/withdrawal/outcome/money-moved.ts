/** Says whether money moved, in one word and in one sentence: every outcome begins with it. */
import { isWithdrawalStatus } from '../../contract/statuses.ts';
import { asSentence } from '../../errors.ts';
import type { Outcome } from './outcome.ts';

export type MoneyMoved = 'yes' | 'on-its-way' | 'maybe' | 'no';

type OutcomeFacts = Pick<Outcome, 'exit' | 'intent' | 'withdrawal' | 'unread'>;

/** Whether the intent is another order's under the same key, or a charge's: it says nothing about this one. */
const isAnothers = ({ exit, intent }: OutcomeFacts): boolean =>
  exit === 'keyReused' || intent?.kind === 'charge';

/** Says whether money moved under the key that was asked for, as far as this run can tell; `maybe` if it cannot. */
export function moneyMovedBy(outcome: OutcomeFacts): MoneyMoved {
  const { exit, intent, withdrawal } = outcome;
  if (isAnothers(outcome)) return 'no';
  if (outcome.unread === true) return 'maybe';
  // What the service lists may be this very payment: a restored ledger does not know what was sent after its backup.
  // And what this run has sent may have happened, whatever others have recorded since.
  if (exit === 'duplicate' || exit === 'unknown') return 'maybe';
  switch (intent?.state) {
    case 'COMPLETED':
      return 'yes';
    case 'ACCEPTED':
      if (withdrawal?.status === 'COMPLETED') return 'yes';
      // The document says nothing about such a status: the money may have gone back.
      return withdrawal === null || isWithdrawalStatus(withdrawal.status) ? 'on-its-way' : 'maybe';
    // A PLANNED left behind by an 86 may be what the service listed then, whatever this run ended with.
    case 'PLANNED':
    case 'SENDING':
    case 'UNKNOWN':
      return 'maybe';
    case 'REFUSED':
    case 'NOT_SENT':
    case 'FAILED':
    case undefined:
      return 'no';
  }
}

/** Puts an outcome into full sentences, money first. Some messages end with what that sentence already says. */
export function describeOutcome(outcome: Outcome): string {
  const moved = moneyMovedSentence(outcome);
  const message =
    moved === 'No money moved.' ? outcome.message.replace(/; no money moved$/, '') : outcome.message;
  return `${moved} ${asSentence(message)}`;
}

/** Returns the sentence that every outcome begins with. */
export function moneyMovedSentence(outcome: OutcomeFacts): string {
  if (isAnothers(outcome)) return 'No money moved in this run.';
  if (outcome.unread === true) return 'What earlier runs did could not be read.';
  if (outcome.intent?.state === 'PLANNED' && outcome.exit !== 'duplicate')
    return 'This ledger sent nothing under this key.';
  switch (moneyMovedBy(outcome)) {
    case 'yes':
      return 'Money moved.';
    case 'on-its-way':
      return 'Money is on its way.';
    case 'maybe':
      return 'Money may have moved.';
    case 'no':
      return outcome.intent?.state === 'FAILED' ? 'No money moved in the end.' : 'No money moved.';
  }
}
