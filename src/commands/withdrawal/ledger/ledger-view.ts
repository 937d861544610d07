/** What `withdrawal ledger` shows of a key. */
import { type LedgerEntry, ledgerView } from '../../../runtime/ledger-view.ts';
import type { MoneyMoved } from '../../../withdrawal/outcome/money-moved.ts';
import { maskedKeyOf, type Order } from '../receipt.ts';

export interface Entry extends LedgerEntry, Order {
  readonly moneyMoved: MoneyMoved;
  /** Cents, as the last record of the service that the ledger keeps says; null: it keeps none. */
  readonly fee: unknown;
  /** The service's id; null if it is not known. */
  readonly withdrawalId: string | null;
}

export const entryView = ledgerView<Entry>(
  [
    { key: 'fee', header: 'Fee', kind: 'cents', dropPriority: 4 },
    { key: 'pixKey', header: 'PIX key', dropPriority: 3, text: maskedKeyOf },
    { key: 'pixKeyType', header: 'Type', dropPriority: 6 },
    { key: 'moneyMoved', header: 'Money moved', dropPriority: 5 },
    { key: 'withdrawalId', header: 'Withdrawal', kind: 'id' },
  ],
  'Found by reconciling',
);
