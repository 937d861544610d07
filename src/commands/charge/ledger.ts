/** `pixctl charge ledger`: every key of a charge, with what became of it. */
import type { CreateChargeBody } from '../../contract/charge.ts';
import type { Intent } from '../../ledger/intent.ts';
import { type LedgerEntry, ledgerEntryOf, ledgerView } from '../../runtime/ledger-entry.ts';
import { type LedgerFlags, listKeys } from '../../runtime/list-keys.ts';
import type { Runtime } from '../../runtime.ts';

export const ledger = (runtime: Runtime, flags: LedgerFlags): Promise<void> =>
  listKeys(runtime, flags, {
    kind: 'charge',
    view: entryView,
    entryOf,
    settledBy: 'pixctl charge resolve <idempotency key>',
  });

interface Entry extends LedgerEntry {
  readonly description: string | null;
  readonly customerId: string | null;
  /** The service's id; null if it is not known. */
  readonly chargeId: string | null;
}

function entryOf(intent: Intent): Entry {
  const { description = null, customerId = null } = JSON.parse(intent.request) as CreateChargeBody;
  return { ...ledgerEntryOf(intent), description, customerId, chargeId: intent.resourceId };
}

export const entryView = ledgerView<Entry>(
  [
    { key: 'chargeId', header: 'Charge', kind: 'id' },
    { key: 'description', header: 'Description', kind: 'text', dropPriority: 4 },
    { key: 'customerId', header: 'Customer', dropPriority: 3 },
  ],
  'Named by a person',
);
