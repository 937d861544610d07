/** Records a person's word that an intent is this withdrawal of the service. */
import { formatCents } from '../../contract/money.ts';
import type { CreateWithdrawalBody, Withdrawal } from '../../contract/withdrawal.ts';
import { ConstraintError } from '../../database/port.ts';
import { commandLineWithKey } from '../../flags/command-line.ts';
import { type Intent, labelOf } from '../../ledger/intent.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { inferredChange, recordWithRetry } from '../../sending/record-with-retry.ts';
import type { Dependencies } from '../dependencies.ts';
import { bodyOf, type Identified, matches, mayMatch } from '../matching/body.ts';
import * as outcomes from '../outcome/create-outcome.ts';
import type { Outcome } from '../outcome/outcome.ts';
import { beingSentOutcome } from '../settling/as-unknown.ts';
import { tryRecordEnding } from '../settling/ending.ts';
import { answeredIdOf } from '../settling/last-answer.ts';
import { findOtherKey } from '../settling/other-scopes.ts';
import { changedMeanwhile, findWithdrawal, refuseVerdict } from './person.ts';

/** Records it, unless the service or the ledger contradicts it (see `resolve`). */
export async function resolveAsWithdrawal(
  dependencies: Dependencies,
  intent: Intent,
  id: string,
): Promise<Outcome> {
  const { service, ledger } = dependencies;
  const found = await findWithdrawal(service, id);
  if (found === null) return noSuchWithdrawal(intent, id);
  if (found.id !== undefined && found.id !== id)
    return refuseVerdict(intent, `asked for ${id}, the service answered with ${found.id}`);
  if (!(await mayBeNamed(ledger, intent, { ...found, id }))) {
    const { pixKey } = bodyOf(intent);
    return refuseVerdict(intent, `${id} is not ${formatCents(intent.amount)} to ${pixKey}`);
  }
  if ((await ledger.baseline(intent.scope, intent.fence ?? 0)).has(id))
    return refuseVerdict(intent, `${id} existed before this withdrawal was sent`);
  const other = await findOpenMatch(ledger, intent, { ...found, id });
  if (other !== null) return blockedByOther(intent, other, id);
  // Its own answer will tell. Once that can no longer come, a person may.
  const elsewhere = await findOtherKey(dependencies, intent, { ...found, id });
  if (elsewhere !== undefined && (await beingSentOutcome(dependencies, elsewhere)) !== null)
    return outcomes.busy(
      intent,
      `an equal withdrawal is being sent under the merchant label ${labelOf(elsewhere.scope)} (key ${elsewhere.idempotencyKey}) right now, and ${id} may be that one`,
    );
  const change = inferredChange(id, JSON.stringify(found));
  try {
    const resolved = await recordWithRetry(dependencies, intent, change, 'resolved', {
      withdrawalId: id,
      by: 'person',
      host: dependencies.owners.self.host,
    });
    const ended = resolved === null ? null : await tryRecordEnding(dependencies, resolved, found);
    return ended === null
      ? changedMeanwhile(intent)
      : outcomes.acceptedOutcome(ended.intent, true, ended.unwritten);
  } catch (cause) {
    if (!(cause instanceof ConstraintError)) throw cause;
    return refuseVerdict(intent, `${id} belongs to another idempotency key`);
  }
}

/**
 * Returns another intent whose outcome is not known yet and that may turn out to be this withdrawal. Its own answer, or
 * the list, takes precedence over a word about a key for which nothing is known to have moved.
 */
async function findOpenMatch(ledger: Ledger, intent: Intent, found: Identified): Promise<Intent | null> {
  const open = await ledger.findOpen(intent.scope);
  if (open === null || open.id === intent.id) return null;
  const isIts = open.request === intent.request || matches(found, bodyOf(open));
  return isIts && !(await ledger.baseline(open.scope, open.fence ?? 0)).has(found.id) ? open : null;
}

/**
 * Whether a person may name this withdrawal although it reads differently: its key is not written out, its amount is
 * what was debited, or the answer to the send itself named it and only its key differs.
 */
async function mayBeNamed(ledger: Ledger, intent: Intent, found: Withdrawal): Promise<boolean> {
  const body = bodyOf(intent);
  return (
    mayMatch(found, body) ||
    (matchesExceptKey(found, body) && (await answeredIdOf(ledger, intent)) === found.id)
  );
}

const matchesExceptKey = (found: Withdrawal, body: CreateWithdrawalBody): boolean =>
  found.amount === body.amount && found.pixKeyType === body.pixKeyType;

const blockedByOther = (intent: Intent, { idempotencyKey }: Intent, id: string): Outcome =>
  outcomes.createOutcome(
    'blocked',
    'BLOCKED',
    `${id} may be that of the key ${idempotencyKey}, whose outcome is not known yet; nothing was changed`,
    {
      intent,
      hint: `Settle that one first: ${commandLineWithKey(['pixctl', 'withdrawal', 'reconcile'], idempotencyKey)}`,
    },
  );

const noSuchWithdrawal = (intent: Intent, id: string): Outcome =>
  outcomes.createOutcome(
    'notFound',
    'NO_SUCH_WITHDRAWAL',
    `the service has no withdrawal ${id}; nothing was changed`,
    {
      intent,
      hint: 'pixctl withdrawal list shows what the service has.',
    },
  );
