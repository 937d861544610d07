/**
 * Keys for which nothing is known to have moved, but whose withdrawal exists after all: the list that seemed to confirm
 * a refusal lagged behind, the ledger was restored from a backup, or somebody paid by other means. A person can say
 * which withdrawal it is.
 */
import { type Intent, sendableStates } from '../../ledger/intent.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { bodyOf, type Identified, mayMatch } from './body.ts';

/** Whether an intent has such a key. */
export const isCorrectable = ({ kind, state }: Intent): boolean =>
  kind === 'withdrawal' && sendableStates.includes(state);

/** Returns those of `unclaimed`, which belong to no key, that may be this key's: not listed before its last send. */
export async function filterPossibleMatches(
  ledger: Pick<Ledger, 'baseline'>,
  intent: Intent,
  unclaimed: readonly Identified[],
): Promise<readonly Identified[]> {
  if (!isCorrectable(intent)) return [];
  const body = bodyOf(intent);
  const alike = unclaimed.filter((one) => mayMatch(one, body));
  if (alike.length === 0) return [];
  const baseline = await ledger.baseline(intent.scope, intent.fence ?? 0);
  return alike.filter(({ id }) => !baseline.has(id));
}
