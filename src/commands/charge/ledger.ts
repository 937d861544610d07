/** `pixctl charge ledger`: every key of a charge, with what became of it. */
import type { CreateChargeBody } from '../../contract/charge.ts';
import type { Intent } from '../../ledger/intent.ts';
import { type LedgerFlags, ledgerEntryOf, listKeys } from '../../runtime/list-keys.ts';
import type { Runtime } from '../../runtime.ts';
import { type Entry, entryView } from './ledger-view.ts';

export const ledger = (runtime: Runtime, flags: LedgerFlags): Promise<void> =>
  listKeys(runtime, flags, {
    kind: 'charge',
    view: entryView,
    entryOf,
    settledBy: 'pixctl charge resolve <idempotency key>',
  });

function entryOf(intent: Intent): Entry {
  const { description = null, customerId = null } = JSON.parse(intent.request) as CreateChargeBody;
  return { ...ledgerEntryOf(intent), description, customerId, chargeId: intent.resourceId };
}
