/**
 * Whose a listed withdrawal may be besides: two labels may be one merchant, and two addresses one service, so one list
 * may show what several scopes of this ledger have sent.
 */
import { addressSuffixOf, type Intent, isOpen } from '../../ledger/intent.ts';
import { stateOnceGone } from '../../sending/still-sending.ts';
import type { Dependencies } from '../dependencies.ts';
import { bodyOf, type Identified, mayMatch } from '../matching/body.ts';

/**
 * Returns a key of another scope that has this withdrawal, or else one that may have made it: its equal order is being
 * sent, or its outcome is unknown. `found` must have been listed before this is called: what is sent from now on did
 * not make it.
 */
export async function findOtherKey(
  { ledger, owners }: Pick<Dependencies, 'ledger' | 'owners'>,
  intent: Intent,
  found: Identified,
): Promise<Intent | undefined> {
  const others = (await ledger.openOrClaimingElsewhere(intent.scope, found.id)).filter(
    // The id may be a plain number, which another merchant's withdrawal has as well.
    (one) => !isSamePayment(one, intent) && mayMatch(found, bodyOf(one)),
  );
  const claiming = others.find(({ resourceId }) => resourceId === found.id);
  if (claiming !== undefined) return claiming;
  for (const one of others.filter(isOpen)) {
    if (stateOnceGone({ owners }, one) === 'NOT_SENT' && one.state === 'SENDING') continue;
    if (!(await ledger.baseline(one.scope, one.fence ?? 0)).has(found.id)) return one;
  }
  return undefined;
}

/**
 * The same key under two labels of one address stands for one payment. At another address it is sent again only where
 * somebody says so (`--allow-duplicate`), which is another payment.
 */
const isSamePayment = (one: Intent, { scope, idempotencyKey }: Intent): boolean =>
  one.idempotencyKey === idempotencyKey && addressSuffixOf(one.scope) === addressSuffixOf(scope);
