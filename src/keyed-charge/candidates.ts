/**
 * Finds the listed charges that may belong to a key whose answer was lost. The service knows no keys, so a person
 * chooses.
 */
import type { Charge, CreateChargeBody } from '../contract/charge.ts';
import { parseIsoTime } from '../contract/iso-time.ts';
import { listLimit } from '../contract/pagination.ts';
import type { Intent } from '../ledger/intent.ts';
import { earliestSendTime, serviceClockMarginMs } from '../sending/send-timing.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Reads the whole list and returns the candidates, oldest first. Rejects with a `PixctlError` when it cannot be read to
 * its end.
 */
export async function candidatesOf(dependencies: Dependencies, intent: Intent): Promise<Charge[]> {
  const { api, ledger } = dependencies;
  const from = await earliestSendTime(dependencies, intent);
  // By id: new charges push listed ones onto the next page, and one that is listed twice would look like two
  // candidates.
  const found = new Map<string, Charge>();
  for await (const { items } of api.pages('listCharges', undefined, { limit: listLimit.max })) {
    for (const charge of items) if (mismatch(charge, intent, from) === null) found.set(charge.id, charge);
  }
  for (const id of await ledger.findClaimedIds(intent.scope, 'charge', found.keys())) found.delete(id);
  return [...found.values()].sort((a, b) => (a.createdAt ?? '').localeCompare(b.createdAt ?? ''));
}

/** Says why a charge cannot be the one that was sent; null if it can be. `from`: see `earliestSendTime`. Pure. */
export function mismatch(charge: Charge, intent: Intent, from: number | null): string | null {
  const { amount, customerId = null } = JSON.parse(intent.request) as CreateChargeBody;
  if (charge.amount !== amount) return 'it has another amount';
  // A list may leave the customer out, and a charge may no longer show one who was removed: that rules nothing out.
  if (charge.customer != null && charge.customer.id !== customerId) return 'it is for another customer';
  const created = parseIsoTime(charge.createdAt);
  // A creation time that cannot be read rules nothing out.
  if (from !== null && created < from - serviceClockMarginMs)
    return 'it was created before this request was sent';
  return null;
}
