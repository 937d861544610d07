/** `pixctl withdrawal ledger`: every key of a withdrawal, with what became of it. */
import type { Intent } from '../../../ledger/intent.ts';
import { type LedgerEntry, ledgerView } from '../../../runtime/ledger-view.ts';
import { type LedgerFlags, ledgerEntryOf, listKeys } from '../../../runtime/list-keys.ts';
import type { Runtime } from '../../../runtime.ts';
import { recordOf } from '../../../withdrawal/matching/body.ts';
import { type MoneyMoved, moneyMovedBy } from '../../../withdrawal/outcome/money-moved.ts';
import { maskedKeyOf, type Order, orderOf } from '../receipt.ts';

export const ledger = (runtime: Runtime, flags: LedgerFlags): Promise<void> =>
  listKeys(runtime, flags, {
    kind: 'withdrawal',
    view: entryView,
    entryOf,
    settledBy: 'pixctl withdrawal reconcile',
  });

interface Entry extends LedgerEntry, Order {
  readonly moneyMoved: MoneyMoved;
  /** Cents, as the last record of the service that the ledger keeps says; null: it keeps none. */
  readonly fee: unknown;
  /** The service's id; null if it is not known. */
  readonly withdrawalId: string | null;
}

function entryOf(intent: Intent): Entry {
  const withdrawal = recordOf(intent);
  return {
    ...orderOf(intent),
    moneyMoved: moneyMovedBy({ exit: 'ok', intent, withdrawal }),
    fee: withdrawal?.fee ?? null,
    withdrawalId: intent.resourceId,
    ...ledgerEntryOf(intent),
  };
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
