/** What `charge ledger` shows of a key. */
import { type LedgerEntry, ledgerView } from '../../runtime/ledger-view.ts';

export interface Entry extends LedgerEntry {
  readonly description: string | null;
  readonly customerId: string | null;
  /** The service's id; null if it is not known. */
  readonly chargeId: string | null;
}

export const entryView = ledgerView<Entry>(
  [
    { key: 'chargeId', header: 'Charge', kind: 'id' },
    { key: 'description', header: 'Description', kind: 'text', dropPriority: 4 },
    { key: 'customerId', header: 'Customer', dropPriority: 3 },
  ],
  'Named by a person',
);
