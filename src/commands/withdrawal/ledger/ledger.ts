/** `pixctl withdrawal ledger`: every key of the ledger, with what became of it. Asks the service nothing. */
import { isoTime } from '../../../clock.ts';
import { parseNames } from '../../../flags/list-filter.ts';
import { type PeriodFlags, parsePeriod } from '../../../flags/moment.ts';
import {
  addressSuffixOf,
  type Intent,
  type IntentState,
  intentStates,
  labelOf,
  openStates,
  scopeOf,
} from '../../../ledger/intent.ts';
import { timeReferenceOf } from '../../../runtime/time-reference.ts';
import type { Runtime } from '../../../runtime.ts';
import { keepHeapSteady } from '../../../steady-heap.ts';
import { formatAmount } from '../../../terminal/columns.ts';
import { formatCount } from '../../../terminal/format-count.ts';
import type { View } from '../../../terminal/view.ts';
import { recordOf } from '../../../withdrawal/matching/body.ts';
import { type MoneyMoved, moneyMovedBy } from '../../../withdrawal/outcome/money-moved.ts';
import { maskedKeyOf, type Order, orderOf } from '../receipt.ts';

export interface LedgerFlags extends PeriodFlags {
  readonly state?: string;
  readonly allLabels?: boolean;
}

/** Lists them in the order of their keys, as they are read. The exit code does not depend on their states. */
export async function ledger(runtime: Runtime, flags: LedgerFlags): Promise<void> {
  const ofAll = flags.allLabels === true;
  const view = ofAll ? labelledEntryView : entryView;
  const output = await runtime.output(view);
  const states =
    flags.state === undefined
      ? null
      : parseNames(flags.state, 'state of the ledger', { known: intentStates, called: 'States' });
  const { since, until } = parsePeriod(flags, await timeReferenceOf(runtime, flags));
  const isWanted = ({ state, createdAt }: Intent): boolean =>
    (states === null || states.includes(state)) &&
    createdAt >= (since ?? Number.NEGATIVE_INFINITY) &&
    createdAt <= (until ?? Number.POSITIVE_INFINITY);
  const held = await runtime.ledger();
  const scopes = ofAll ? await held.scopes() : [scopeOf((await runtime.config()).profile())];
  const totals: Totals = new Map();
  const letGrow = await keepHeapSteady();
  try {
    await output.each(view, entries(), runtime.signal);
  } finally {
    letGrow();
  }
  // Whoever reads no further did not get all of them.
  if (!runtime.io.stdoutClosed) output.note(describeTotals(totals, ofAll));

  async function* entries(): AsyncGenerator<Entry> {
    for (const scope of scopes)
      for await (const intents of held.listIntents(scope, 'withdrawal')) {
        runtime.signal.throwIfAborted();
        for (const intent of intents.filter(isWanted)) {
          const { count, cents } = totals.get(intent.state) ?? { count: 0, cents: 0 };
          totals.set(intent.state, { count: count + 1, cents: cents + intent.amount });
          yield entryOf(intent);
        }
      }
  }
}

interface Entry extends Order {
  readonly state: IntentState;
  readonly moneyMoved: MoneyMoved;
  /** Cents, as the last record of the service that the ledger keeps says; null: it keeps none. */
  readonly fee: unknown;
  /** The service's id; null if it is not known. */
  readonly withdrawalId: string | null;
  readonly reason: string | null;
  readonly inferred: boolean;
  readonly plannedAt: string;
  /** When its last send was begun; null if nothing left then. */
  readonly sentAt: string | null;
  readonly updatedAt: string;
  readonly merchant: string;
  readonly baseUrl: string;
}

function entryOf(intent: Intent): Entry {
  const withdrawal = recordOf(intent);
  return {
    ...orderOf(intent),
    state: intent.state,
    moneyMoved: moneyMovedBy({ exit: 'ok', intent, withdrawal }),
    fee: withdrawal?.fee ?? null,
    withdrawalId: intent.resourceId,
    reason: intent.reason,
    inferred: intent.inferred,
    plannedAt: isoTime(intent.createdAt),
    sentAt: intent.sentAt === null || hasNotLeft(intent) ? null : isoTime(intent.sentAt),
    updatedAt: isoTime(intent.updatedAt),
    merchant: labelOf(intent.scope),
    baseUrl: addressSuffixOf(intent.scope).trim(),
  };
}

/** Whether nothing left at the last send, as far as is known: not only by the word of a person. */
const hasNotLeft = ({ state, reason }: Intent): boolean => state === 'NOT_SENT' && reason !== 'RESOLVED';

const noneOfOwn = 'No such key of this merchant label and address; --all-labels looks at all of the ledger.';

type Totals = Map<IntentState, { readonly count: number; readonly cents: number }>;

function describeTotals(totals: Totals, ofAll: boolean): string {
  if (totals.size === 0) return ofAll ? 'No such key.' : noneOfOwn;
  const count = [...totals.values()].reduce((sum, one) => sum + one.count, 0);
  const parts = intentStates.flatMap((state) => {
    const total = totals.get(state);
    return total === undefined ? [] : [`${total.count} ${state} (${formatAmount(total.cents)})`];
  });
  const isOne = ofAll ? ', of the merchant and address of its profile' : '';
  const next = openStates.some((state) => totals.has(state))
    ? ` pixctl withdrawal reconcile settles what is unknown${isOne}.`
    : '';
  return `${formatCount(count, 'key')}: ${parts.join(', ')}.${next}`;
}

export const entryView: View<Entry> = {
  name: 'key',
  columns: [
    { key: 'idempotencyKey', header: 'Idempotency key', kind: 'id' },
    { key: 'state', header: 'State', kind: 'status' },
    { key: 'amount', header: 'Amount', kind: 'cents' },
    { key: 'fee', header: 'Fee', kind: 'cents', dropPriority: 4 },
    { key: 'pixKey', header: 'PIX key', dropPriority: 3, text: maskedKeyOf },
    { key: 'pixKeyType', header: 'Type', dropPriority: 6 },
    { key: 'moneyMoved', header: 'Money moved', dropPriority: 5 },
    { key: 'withdrawalId', header: 'Withdrawal', kind: 'id' },
    { key: 'plannedAt', header: 'Planned', kind: 'time', dropPriority: 1 },
    { key: 'sentAt', header: 'Sent', kind: 'time', detail: true },
    { key: 'updatedAt', header: 'Changed', kind: 'time', detail: true },
    { key: 'reason', header: 'Reason', kind: 'text', dropPriority: 2 },
    { key: 'inferred', header: 'Found by reconciling', detail: true },
    { key: 'merchant', header: 'Merchant', detail: true },
    { key: 'baseUrl', header: 'Address', detail: true },
  ],
};

const whose = ['merchant', 'baseUrl'];

/** Begins with whose they are. */
const labelledEntryView: View<Entry> = {
  ...entryView,
  columns: [
    ...entryView.columns
      .filter(({ key }) => whose.includes(key))
      .map((column) => ({ ...column, detail: false })),
    ...entryView.columns.filter(({ key }) => !whose.includes(key)),
  ],
};
