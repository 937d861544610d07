/** `pixctl withdrawal ledger`: every key of the ledger, with what became of it. Asks the service nothing. */
import { isoTime } from '../../../clock.ts';
import { parsePeriod } from '../../../flags/moment.ts';
import { type Intent, type IntentState, scopeOf } from '../../../ledger/intent.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { timeReferenceOf } from '../../../runtime/time-reference.ts';
import type { Runtime } from '../../../runtime.ts';
import type { View } from '../../../terminal/view.ts';
import { recordOf } from '../../../withdrawal/matching/body.ts';
import { type MoneyMoved, moneyMovedBy } from '../../../withdrawal/outcome/money-moved.ts';
import { maskedKeyOf, type Order, orderOf } from '../receipt.ts';

export interface LedgerFlags {
  readonly state?: IntentState;
  readonly since?: string;
  readonly until?: string;
}

export async function ledger(runtime: Runtime, flags: LedgerFlags): Promise<void> {
  const output = await runtime.output(entryView);
  const { since, until } = parsePeriod(flags, await timeReferenceOf(runtime, flags));
  const scope = scopeOf((await runtime.config()).profile());
  const held = await runtime.ledger();
  const isWanted = (intent: Intent): boolean =>
    (flags.state === undefined || intent.state === flags.state) &&
    timeOf(intent) >= (since ?? Number.NEGATIVE_INFINITY) &&
    timeOf(intent) <= (until ?? Number.POSITIVE_INFINITY);
  await output.each(entryView, entries(), runtime.signal);

  async function* entries(): AsyncGenerator<Entry> {
    for await (const intent of intents(held, scope)) if (isWanted(intent)) yield entryOf(intent);
  }
}

/** In the order of their keys, part by part: there may be a million. */
async function* intents(ledger: Ledger, scope: Intent['scope']): AsyncGenerator<Intent> {
  for await (const part of ledger.listClaims(scope, 'withdrawal')) {
    const keys = part.map(({ idempotencyKey }) => idempotencyKey);
    const found = await ledger.findMany(scope, 'withdrawal', { keys });
    const byKey = new Map(found.map((intent) => [intent.idempotencyKey, intent]));
    for (const key of keys) {
      const intent = byKey.get(key);
      if (intent !== undefined) yield intent;
    }
  }
}

/** When it was sent last; when it was planned, if never. Milliseconds since the epoch. */
const timeOf = ({ sentAt, createdAt }: Intent): number => sentAt ?? createdAt;

interface Entry extends Order {
  readonly state: IntentState;
  /** The service's id; null if it is not known. */
  readonly withdrawalId: string | null;
  /** Cents, as the last record of the service that the ledger keeps says; null: it keeps none. */
  readonly fee: unknown;
  readonly moneyMoved: MoneyMoved;
  readonly reason: string | null;
  readonly inferred: boolean;
  readonly plannedAt: string;
  readonly sentAt: string | null;
  readonly updatedAt: string;
}

function entryOf(intent: Intent): Entry {
  const withdrawal = recordOf(intent);
  return {
    ...orderOf(intent),
    state: intent.state,
    withdrawalId: intent.resourceId,
    fee: withdrawal?.fee ?? null,
    moneyMoved: moneyMovedBy({ exit: 'ok', intent, withdrawal }),
    reason: intent.reason,
    inferred: intent.inferred,
    plannedAt: isoTime(intent.createdAt),
    sentAt: intent.sentAt === null ? null : isoTime(intent.sentAt),
    updatedAt: isoTime(intent.updatedAt),
  };
}

export const entryView: View<Entry> = {
  name: 'withdrawal',
  columns: [
    { key: 'idempotencyKey', header: 'Idempotency key' },
    { key: 'state', header: 'State', kind: 'status' },
    { key: 'amount', header: 'Amount', kind: 'cents' },
    { key: 'fee', header: 'Fee', kind: 'cents', dropPriority: 4 },
    { key: 'pixKey', header: 'PIX key', text: maskedKeyOf, dropPriority: 3 },
    { key: 'pixKeyType', header: 'Type', dropPriority: 6 },
    { key: 'withdrawalId', header: 'Withdrawal', kind: 'id' },
    { key: 'moneyMoved', header: 'Money moved', dropPriority: 7 },
    { key: 'sentAt', header: 'Sent', kind: 'time', dropPriority: 1 },
    { key: 'reason', header: 'Reason', kind: 'text', dropPriority: 2 },
    { key: 'inferred', header: 'Found by reconciling', detail: true },
    { key: 'plannedAt', header: 'Planned', kind: 'time', detail: true },
    { key: 'updatedAt', header: 'Changed', kind: 'time', detail: true },
  ],
};
