/** What `withdraw` and `withdrawal status` print: JSON of a fixed form, and its columns for people. */
import { isoTime } from '../../clock.ts';
import type { Withdrawal } from '../../contract/withdrawal.ts';
import { exitCodes } from '../../errors.ts';
import type { Intent, IntentEvent } from '../../ledger/intent.ts';
import type { View } from '../../terminal/view.ts';
import { maskedKey } from '../../views/withdrawal.ts';
import { bodyOf } from '../../withdrawal/matching/body.ts';
import { type MoneyMoved, moneyMovedBy } from '../../withdrawal/outcome/money-moved.ts';
import type { Outcome } from '../../withdrawal/outcome/outcome.ts';
import type { OwnerElsewhere } from '../../withdrawal/outcome/owner-elsewhere.ts';

/** What was ordered, as far as that is known without the ledger. */
export interface Order {
  readonly idempotencyKey: string;
  readonly amount: number;
  readonly pixKey: string;
  readonly pixKeyType: string;
}

/** The same of a run that was not given the order: null for what only a ledger that could not be read would tell. */
export type Asked = { readonly [Name in keyof Order]: Order[Name] | null };

export interface Receipt extends Asked {
  /** The ledger's state. `NOT_SENT` if it holds no intent for this key, `UNKNOWN` if it could not be read. */
  readonly state: string;
  readonly withdrawal: Withdrawal | null;
  /** Cents, once the service has reported it. */
  readonly fee?: unknown;
  readonly moneyMoved: MoneyMoved;
  readonly code: string;
  readonly exitCode: number;
  readonly reason: string | null;
  readonly replayed: boolean;
  readonly inferred: boolean;
  /** Withdrawals that a person has to look at. */
  readonly candidates?: readonly Withdrawal[];
  /** What other labels and addresses of the ledger have of these, or may have made. */
  readonly elsewhere?: readonly OwnerElsewhere[];
  readonly events?: readonly ReceiptEvent[];
}

interface ReceiptEvent {
  readonly at: string;
  readonly state: string;
  readonly what: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Returns the receipt of an outcome. The order comes from the intent if there is one, because that is what was sent.
 */
export function receiptOf(outcome: Outcome, asked: Asked, events?: readonly IntentEvent[]): Receipt {
  const { intent, withdrawal, candidates, elsewhere = [] } = outcome;
  const order = intent === null ? asked : orderOf(intent);
  const fee = withdrawal?.fee;
  return {
    ...order,
    state: intent?.state ?? (outcome.unread === true ? 'UNKNOWN' : 'NOT_SENT'),
    withdrawal,
    ...(fee === undefined ? {} : { fee }),
    moneyMoved: moneyMovedBy(outcome),
    code: outcome.code,
    exitCode: exitCodes[outcome.exit].exit,
    reason: intent?.reason ?? null,
    replayed: outcome.replayed,
    inferred: intent?.inferred ?? false,
    ...(candidates === undefined ? {} : { candidates }),
    ...(elsewhere.length === 0 ? {} : { elsewhere }),
    ...(events === undefined ? {} : { events: events.map(eventOf) }),
  };
}

/** Returns what the ledger remembers of the order. */
export function orderOf(intent: Intent): Order {
  const { pixKey, pixKeyType } = bodyOf(intent);
  return { idempotencyKey: intent.idempotencyKey, amount: intent.amount, pixKey, pixKeyType };
}

/** Its PIX key for people: masked. */
export const maskedKeyOf = ({ pixKey, pixKeyType }: Pick<Asked, 'pixKey' | 'pixKeyType'>): string =>
  maskedKey({ pixKey: pixKey ?? '', pixKeyType: pixKeyType ?? '' });

const eventOf = ({ at, state, what, details }: IntentEvent): ReceiptEvent => ({
  at: isoTime(at),
  state,
  what,
  details,
});

export const receiptView: View<Receipt> = {
  name: 'withdrawal',
  columns: [
    { key: 'idempotencyKey', header: 'Idempotency key' },
    { key: 'state', header: 'State', kind: 'status' },
    { key: 'amount', header: 'Amount', kind: 'cents' },
    { key: 'fee', header: 'Fee', kind: 'cents' },
    { key: 'pixKey', header: 'PIX key', text: maskedKeyOf },
    { key: 'pixKeyType', header: 'Type' },
    {
      key: 'withdrawal',
      header: 'Withdrawal',
      value: ({ withdrawal }) => (withdrawal === null ? null : `${withdrawal.id} ${withdrawal.status}`),
    },
    { key: 'moneyMoved', header: 'Money moved' },
    { key: 'reason', header: 'Reason', kind: 'text' },
    { key: 'inferred', header: 'Found by reconciling', detail: true },
    { key: 'replayed', header: 'Settled by an earlier run', detail: true },
    { key: 'code', header: 'Outcome', detail: true },
    { key: 'exitCode', header: 'Exit code', detail: true },
    {
      key: 'candidates',
      header: 'Candidates',
      value: ({ candidates }) => candidates?.map(({ id, status }) => `${id} ${status}`).join(', '),
      detail: true,
    },
    {
      key: 'elsewhere',
      header: 'Elsewhere in the ledger',
      value: ({ elsewhere }) => elsewhere?.map(elsewhereText).join(', '),
      detail: true,
    },
    {
      key: 'events',
      header: 'History',
      value: ({ events }) => events?.map(({ at, what, state }) => `${at} ${what}: ${state}`).join('; '),
      lines: ({ events = [] }, timeOf) =>
        events.map(({ at, what, state }) => `${timeOf(at)}  ${what}: ${state}`),
      detail: true,
    },
  ],
};

/** Headers of the columns that describe the order which already has the key. A column without one is left out. */
const earlierHeaders: Readonly<Record<string, string>> = {
  idempotencyKey: 'Idempotency key',
  state: 'Earlier state',
  amount: 'Earlier amount',
  fee: 'Earlier fee',
  pixKey: 'Earlier PIX key',
  pixKeyType: 'Earlier type',
  withdrawal: 'Earlier withdrawal',
  reason: 'Earlier reason',
  moneyMoved: 'Money moved in this run',
  code: 'Outcome',
  exitCode: 'Exit code',
};

/** For people, after exit 85: the receipt shows the order that has the key, not the one that was requested. */
export const earlierView: View<Receipt> = {
  ...receiptView,
  columns: receiptView.columns.flatMap((column) => {
    const header = earlierHeaders[column.key];
    return header === undefined ? [] : [{ ...column, header }];
  }),
};

/** A key of another label or address on one line, for a table or csv. */
export const elsewhereText = ({
  withdrawalId,
  merchant,
  baseUrl,
  idempotencyKey,
  state,
}: OwnerElsewhere): string => `${withdrawalId}: ${idempotencyKey} ${state} (${merchant} at ${baseUrl})`;
