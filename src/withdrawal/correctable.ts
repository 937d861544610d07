/** A key that ended as refused or not sent, and whose withdrawal may be there after all: a person can correct it. */
import { type Intent, sendableStates } from '../ledger/intent.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { bodyOf, canBe, type Identified } from './body.ts';

/**
 * Whether a send of this key has left, the last one or an earlier one, and only a list that may have been behind, or a
 * person, says that nothing came of it.
 */
export async function isCorrectable(ledger: Pick<Ledger, 'events'>, intent: Intent): Promise<boolean> {
  if (intent.kind !== 'withdrawal' || !sendableStates.includes(intent.state)) return false;
  return (await ledger.events(intent)).some(({ state, what }) => state === 'REFUSED' || what === 'resolved');
}

/** Those of `unclaimed`, which belong to no key, that a send of this one may have made. */
export async function maybeMadeBy(
  ledger: Pick<Ledger, 'baseline' | 'events'>,
  intent: Intent,
  unclaimed: readonly Identified[],
): Promise<readonly Identified[]> {
  const body = bodyOf(intent);
  const alike = unclaimed.filter((one) => canBe(one, body));
  if (alike.length === 0 || !(await isCorrectable(ledger, intent))) return [];
  const baseline = await ledger.baseline(intent.scope, intent.fence ?? 0);
  return alike.filter(({ id }) => !baseline.has(id));
}
