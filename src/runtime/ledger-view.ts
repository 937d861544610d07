/**
 * A key of the ledger as `withdrawal ledger` and `charge ledger` show it: what both have, and their columns. Help names
 * these, so they are apart from what reads the ledger.
 */
import type { IntentState } from '../ledger/intent.ts';
import type { Column, View } from '../terminal/view.ts';

export interface LedgerEntry {
  readonly idempotencyKey: string;
  /** Cents. */
  readonly amount: number;
  readonly state: IntentState;
  readonly reason: string | null;
  readonly inferred: boolean;
  readonly plannedAt: string;
  /** When its last send was begun; null if nothing left then. */
  readonly sentAt: string | null;
  readonly updatedAt: string;
  readonly merchant: string;
  readonly baseUrl: string;
}

/**
 * The view of a kind of key, with its own columns between those that both have. `inferred`: how it became known what
 * the key stands for, where no answer told.
 */
export const ledgerView = <Entry extends LedgerEntry>(
  own: readonly Column<Entry>[],
  inferred: string,
): View<Entry> => ({
  name: 'key',
  columns: [
    { key: 'idempotencyKey', header: 'Idempotency key', kind: 'id' },
    { key: 'state', header: 'State', kind: 'status' },
    { key: 'amount', header: 'Amount', kind: 'cents' },
    ...own,
    { key: 'plannedAt', header: 'Planned', kind: 'time', dropPriority: 1 },
    { key: 'sentAt', header: 'Sent', kind: 'time', detail: true },
    { key: 'updatedAt', header: 'Changed', kind: 'time', detail: true },
    { key: 'reason', header: 'Reason', kind: 'text', dropPriority: 2 },
    { key: 'inferred', header: inferred, detail: true },
    { key: 'merchant', header: 'Merchant', detail: true },
    { key: 'baseUrl', header: 'Address', detail: true },
  ],
});

const whose = ['merchant', 'baseUrl'];

/** Begins with whose they are. */
export const ownersFirst = <Entry extends LedgerEntry>(view: View<Entry>): View<Entry> => ({
  ...view,
  columns: [
    ...view.columns.filter(({ key }) => whose.includes(key)).map((column) => ({ ...column, detail: false })),
    ...view.columns.filter(({ key }) => !whose.includes(key)),
  ],
});
