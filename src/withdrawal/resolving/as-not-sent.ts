/** Records a person's word that an intent was never sent. */
import { isoTime } from '../../clock.ts';
import type { Intent } from '../../ledger/intent.ts';
import { recordWithRetry } from '../../sending/record-with-retry.ts';
import { clockWords, isSendTimeUnknown, msUntilSettleTime } from '../../sending/send-timing.ts';
import type { Dependencies } from '../dependencies.ts';
import { bodyOf, type Identified, matches, mayMatch } from '../matching/body.ts';
import * as outcomes from '../outcome/create-outcome.ts';
import type { Outcome } from '../outcome/outcome.ts';
import { resolveLine } from '../outcome/resolve-line.ts';
import { answeredIdOf } from '../settling/last-answer.ts';
import { searchFor } from '../settling/try-reconcile.ts';
import { changedMeanwhile, findWithdrawal } from './person.ts';

export interface NotSentVerdict {
  readonly kind: 'not-sent';
  /** The person knows that the service has dropped its earlier withdrawals from the list. */
  readonly shortList?: boolean;
}

/** Records it once the settle time is over, if no withdrawal of the service can be this one (see `resolve`). */
export async function resolveAsNotSent(
  dependencies: Dependencies,
  intent: Intent,
  { shortList = false }: NotSentVerdict,
): Promise<Outcome> {
  const waitMs = await msUntilSettleTime(dependencies, intent);
  if (waitMs > 0) return notSettled(dependencies, intent, waitMs);
  const found = await searchFor(dependencies, intent, { shortList });
  if (found.kind === 'unreadable') throw found.error;
  const listed = await filterOwnCandidates(dependencies, intent, found.candidates);
  const candidates = listed.length > 0 ? listed : await findAnsweredCandidates(dependencies, intent);
  if (candidates.length > 0)
    return outcomes.createOutcome(
      'duplicate',
      'CANDIDATES',
      `the service lists ${candidates.length > 1 ? 'several withdrawals' : 'a withdrawal'} that may be this one; nothing was changed`,
      { intent, candidates, hint: candidatesHint(intent, candidates) },
    );
  const change = { state: 'NOT_SENT', reason: 'RESOLVED' } as const;
  const resolved = await recordWithRetry(dependencies, intent, change, 'resolved', {
    by: 'person',
    host: dependencies.owners.self.host,
    as: 'not-sent',
  });
  return resolved === null
    ? changedMeanwhile(intent)
    : outcomes.createOutcome(
        'ok',
        'NOT_SENT',
        'it is recorded as never sent. The same key may be sent again.',
        {
          intent: resolved,
        },
      );
}

async function notSettled(dependencies: Dependencies, intent: Intent, waitMs: number): Promise<Outcome> {
  const nothing = 'nothing was changed';
  if (!(await isSendTimeUnknown(dependencies, intent)))
    return outcomes.createOutcome(
      'later',
      'NOT_SETTLED',
      `it was sent too recently to say that it never arrived; ${nothing}`,
      { intent, hint: `Ask again in ${Math.ceil(waitMs / 1000)} s.` },
    );
  const from = isoTime(dependencies.clock.now() + waitMs);
  return outcomes.createOutcome('later', 'NOT_SETTLED', `${clockWords(intent)}; ${nothing}`, {
    intent,
    hint: `If the clock is behind now, correct it and ask again. If it was ahead then, this can be said from ${from} on. Sooner, if neither the dashboard nor the bank statement shows it: pay it in the dashboard, and name that withdrawal: ${resolveLine(intent, '--withdrawal', '<id>')}`,
  });
}

function candidatesHint(intent: Intent, [only, ...more]: readonly Identified[]): string {
  const [none, one] = more.length > 0 ? ['none of them', 'one of them'] : ['not', ''];
  const id = (more.length === 0 && only?.id) || '<id>';
  return `If it is ${none}, and the dashboard and the bank statement do not show this one either: pay it in the dashboard, and name that withdrawal instead. If it is${one === '' ? '' : ` ${one}`}: ${resolveLine(intent, '--withdrawal', id)}`;
}

/**
 * Drops those of `listed` that belong to another key: one whose key the list does not write out is read by its id to
 * see.
 */
async function filterOwnCandidates(
  { ledger, service }: Dependencies,
  intent: Intent,
  listed: readonly Identified[],
): Promise<readonly Identified[]> {
  const body = bodyOf(intent);
  const named = await answeredIdOf(ledger, intent);
  const left: Identified[] = [];
  for (const one of listed) {
    const read = matches(one, body) || one.id === named ? null : await findWithdrawal(service, one.id);
    const { pixKey, pixKeyType } = read !== null && (read.id ?? one.id) === one.id ? read : one;
    if (mayMatch({ ...one, pixKey, pixKeyType }, body)) left.push(one);
  }
  return left;
}

/** Returns what the answer to the send named, listed or not, if the service has it and it may be this one. */
async function findAnsweredCandidates(
  { ledger, service }: Dependencies,
  intent: Intent,
): Promise<readonly Identified[]> {
  const id = await answeredIdOf(ledger, intent);
  if (id === null || (await ledger.baseline(intent.scope, intent.fence ?? 0)).has(id)) return [];
  if ((await ledger.findClaimedIds(intent.scope, 'withdrawal', [id])).size > 0) return [];
  const found = await findWithdrawal(service, id);
  return found !== null && mayMatch(found, bodyOf(intent)) ? [{ ...found, id }] : [];
}
