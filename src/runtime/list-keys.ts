/** Lists the keys of the ledger: `pixctl withdrawal ledger`, `pixctl charge ledger`. Asks the service nothing. */
import { isoTime } from '../clock.ts';
import { parseNames } from '../flags/list-filter.ts';
import { type PeriodFlags, parsePeriod } from '../flags/moment.ts';
import {
  addressSuffixOf,
  type Intent,
  type IntentKind,
  type IntentState,
  intentStates,
  labelOf,
  openStates,
  scopeOf,
  statesOf,
} from '../ledger/intent.ts';
import type { Runtime } from '../runtime.ts';
import { keepHeapSteady } from '../steady-heap.ts';
import { formatAmount } from '../terminal/columns.ts';
import { formatCount } from '../terminal/format-count.ts';
import type { View } from '../terminal/view.ts';
import { type LedgerEntry, ownersFirst } from './ledger-view.ts';
import { timeReferenceOf } from './time-reference.ts';

export interface LedgerFlags extends PeriodFlags {
  readonly state?: string;
  readonly allLabels?: boolean;
}

interface Listing<Entry extends LedgerEntry> {
  readonly kind: IntentKind;
  readonly view: View<Entry>;
  readonly entryOf: (intent: Intent) => Entry;
  /** The command that settles what is unknown. */
  readonly settledBy: string;
}

/** Lists them in the order of the keys, as they are read. The exit code does not depend on their states. */
export async function listKeys<Entry extends LedgerEntry>(
  runtime: Runtime,
  flags: LedgerFlags,
  { kind, view: own, entryOf, settledBy }: Listing<Entry>,
): Promise<void> {
  const ofAll = flags.allLabels === true;
  const view = ofAll ? ownersFirst(own) : own;
  const output = await runtime.output(view);
  const states =
    flags.state === undefined
      ? null
      : parseNames(flags.state, `state of a ${kind}'s key`, { known: statesOf[kind], called: 'States' });
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
  if (!runtime.io.stdoutClosed) output.note(describeTotals(totals, { ofAll, settledBy }));

  async function* entries(): AsyncGenerator<Entry> {
    for (const scope of scopes)
      for await (const intents of held.listIntents(scope, kind)) {
        runtime.signal.throwIfAborted();
        for (const intent of intents.filter(isWanted)) {
          const { count, cents } = totals.get(intent.state) ?? { count: 0, cents: 0 };
          totals.set(intent.state, { count: count + 1, cents: cents + intent.amount });
          yield entryOf(intent);
        }
      }
  }
}

/** What the ledger has of a key, whatever it is the key of. */
export const ledgerEntryOf = (intent: Intent): LedgerEntry => ({
  idempotencyKey: intent.idempotencyKey,
  amount: intent.amount,
  state: intent.state,
  reason: intent.reason,
  inferred: intent.inferred,
  plannedAt: isoTime(intent.createdAt),
  sentAt: intent.sentAt === null || hasNotLeft(intent) ? null : isoTime(intent.sentAt),
  updatedAt: isoTime(intent.updatedAt),
  merchant: labelOf(intent.scope),
  baseUrl: addressSuffixOf(intent.scope).trim(),
});

/** Whether nothing left at the last send, as far as is known: not only by the word of a person. */
const hasNotLeft = ({ state, reason }: Intent): boolean => state === 'NOT_SENT' && reason !== 'RESOLVED';

type Totals = Map<IntentState, { readonly count: number; readonly cents: number }>;

const noneOfOwn = 'No such key of this merchant label and address; --all-labels looks at all of the ledger.';

function describeTotals(
  totals: Totals,
  { ofAll, settledBy }: { readonly ofAll: boolean; readonly settledBy: string },
): string {
  if (totals.size === 0) return ofAll ? 'No such key.' : noneOfOwn;
  const count = [...totals.values()].reduce((sum, one) => sum + one.count, 0);
  const parts = intentStates.flatMap((state) => {
    const total = totals.get(state);
    return total === undefined ? [] : [`${total.count} ${state} (${formatAmount(total.cents)})`];
  });
  const isOne = ofAll ? ', of the merchant and address of its profile' : '';
  const next = openStates.some((state) => totals.has(state))
    ? ` ${settledBy} settles what is unknown${isOne}.`
    : '';
  return `${formatCount(count, 'key')}: ${parts.join(', ')}.${next}`;
}
