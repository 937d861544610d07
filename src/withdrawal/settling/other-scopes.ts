/**
 * Whose a listed withdrawal may be besides: two labels may be one merchant, and two addresses one service, so one list
 * may show what several scopes of this ledger have sent.
 */
import { addressSuffixOf, type Intent, labelOf } from '../../ledger/intent.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { serviceClockMarginMs } from '../../sending/send-timing.ts';
import { stateOnceGone } from '../../sending/still-sending.ts';
import type { Dependencies } from '../dependencies.ts';
import { bodyOf, type Identified, mayMatch } from '../matching/body.ts';

/**
 * Returns a key of another scope that has this withdrawal, or else one that may have made it: its equal order is being
 * sent, its outcome is unknown, or a send of it was refused, perhaps as the second copy of its request. `found` must
 * have been listed before this is called: what is sent from now on did not make it.
 */
export async function findOtherKey(
  { ledger, owners }: Pick<Dependencies, 'ledger' | 'owners'>,
  intent: Intent,
  found: Identified,
): Promise<Intent | undefined> {
  // What was sent and refused long before this send was listed by then. Hosts may have their clocks hours apart.
  const sentSince = (intent.sentAt ?? 0) - serviceClockMarginMs;
  const all = await ledger.possibleOwnersElsewhere(intent.scope, found.id, sentSince);
  // The id may be a plain number, which another merchant's withdrawal has as well.
  const others = all.filter((one) => !isSamePayment(one, intent) && mayMatch(found, bodyOf(one)));
  const claiming = others.find(({ resourceId }) => resourceId === found.id);
  if (claiming !== undefined) return claiming;
  for (const one of others) {
    if ((await mayBeOfLastSend(one)) || (await mayBeOfRefusedSend(ledger, one))) return one;
  }
  return undefined;

  async function mayBeOfLastSend(one: Intent): Promise<boolean> {
    const state = one.state === 'SENDING' ? stateOnceGone({ owners }, one) : one.state;
    if (one.resourceId !== null || state === 'NOT_SENT') return false;
    return !(await ledger.baseline(one.scope, one.fence ?? 0)).has(found.id);
  }
}

/** Whether a send of this key before its last one was refused: of two copies, the first may have been accepted late. */
async function mayBeOfRefusedSend(ledger: Ledger, one: Intent): Promise<boolean> {
  const events = await ledger.events(one);
  const last = events.findLastIndex(({ what }) => what === 'sending');
  return events.slice(0, Math.max(last, 0)).some(({ state }) => state === 'REFUSED');
}

/**
 * The same key under two labels of one address stands for one payment. At another address it is sent again where it was
 * refused, which is the same payment too; otherwise only where somebody says so (`--allow-duplicate`), which is not.
 */
const isSamePayment = (one: Intent, { scope, idempotencyKey }: Intent): boolean =>
  one.idempotencyKey === idempotencyKey &&
  (addressSuffixOf(one.scope) === addressSuffixOf(scope) ||
    (one.state === 'REFUSED' && labelOf(one.scope) === labelOf(scope)));
