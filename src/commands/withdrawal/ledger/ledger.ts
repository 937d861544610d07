/** `pixctl withdrawal ledger`: every key of a withdrawal, with what became of it. */
import type { Intent } from '../../../ledger/intent.ts';
import { type LedgerFlags, ledgerEntryOf, listKeys } from '../../../runtime/list-keys.ts';
import type { Runtime } from '../../../runtime.ts';
import { recordOf } from '../../../withdrawal/matching/body.ts';
import { moneyMovedBy } from '../../../withdrawal/outcome/money-moved.ts';
import { orderOf } from '../receipt.ts';
import { type Entry, entryView } from './ledger-view.ts';

export const ledger = (runtime: Runtime, flags: LedgerFlags): Promise<void> =>
  listKeys(runtime, flags, {
    kind: 'withdrawal',
    view: entryView,
    entryOf,
    settledBy: 'pixctl withdrawal reconcile',
  });

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
