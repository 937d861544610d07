/** Orders against charges: pure. */
import type { Charge } from '../../contract/charge.ts';
import type { OrderLine } from './orders-file.ts';

export const findings = [
  'OK',
  'MISSING',
  'UNPAID',
  'PAID_TWICE',
  'WRONG_AMOUNT',
  'REFUNDED',
  'DISPUTED',
  'SHARED',
  'UNKNOWN_STATUS',
  'UNCLAIMED',
] as const;
export type Finding = (typeof findings)[number];

export interface Result {
  /** Null for a charge that no order names. */
  readonly orderId: string | null;
  readonly finding: Finding;
  /** Cents that the order asks for; null without an order. */
  readonly expected: number | null;
  /** Cents of its charges that are PAID. */
  readonly paid: number;
  readonly chargeIds: readonly string[];
  readonly statuses: readonly string[];
}

/** The charges that orders may name, by id and by txid. */
export interface Found {
  readonly byId: ReadonlyMap<string, Charge>;
  readonly byTxid: ReadonlyMap<string, Charge>;
}

/** One result for each order, in the order of the file. */
export function compare(lines: readonly OrderLine[], found: Found): Result[] {
  const orders = Map.groupBy(lines, ({ orderId }) => orderId);
  const chargesOf = (own: readonly OrderLine[]) => [
    ...new Set(own.flatMap((line) => chargeOf(line, found) ?? [])),
  ];
  const claims = new Map<string, number>();
  for (const own of orders.values()) {
    for (const { id } of chargesOf(own)) claims.set(id, (claims.get(id) ?? 0) + 1);
  }
  return [...orders].map(([orderId, own]) => {
    const charges = chargesOf(own);
    const expected = own[0]?.amount ?? 0;
    const isShared = charges.some(({ id }) => (claims.get(id) ?? 0) > 1);
    const isWhole = own.every((line) => namesNone(line) || chargeOf(line, found) !== null);
    return {
      orderId,
      finding: isShared ? 'SHARED' : findingOf(expected, charges, isWhole),
      expected,
      ...summary(charges),
    };
  });
}

/** A line that names both must mean one and the same charge. */
function chargeOf({ chargeId, txid }: OrderLine, { byId, byTxid }: Found): Charge | null {
  const charge =
    (chargeId === null ? undefined : byId.get(chargeId)) ??
    (chargeId === null && txid !== null ? byTxid.get(txid) : undefined);
  return charge === undefined || (txid !== null && charge.txid !== txid) ? null : charge;
}

/** An order that was not charged yet, or its line for nothing more. */
const namesNone = ({ chargeId, txid }: OrderLine): boolean => chargeId === null && txid === null;

/** The worst that is true of an order, money first. `isWhole`: the service has every charge that it names. */
function findingOf(expected: number, charges: readonly Charge[], isWhole: boolean): Finding {
  const paid = charges.filter(({ status }) => status === 'PAID');
  if (paid.length > 1) return 'PAID_TWICE';
  if (charges.some(({ status }) => status === 'DISPUTED')) return 'DISPUTED';
  if (paid[0] !== undefined && paid[0].amount !== expected) return 'WRONG_AMOUNT';
  // What the other line meant may be paid, too: a mistyped id must not hide a second payment.
  if (paid[0] !== undefined) return isWhole ? 'OK' : 'MISSING';
  if (charges.length === 0) return 'MISSING';
  if (charges.some(({ status }) => status === 'REFUNDED')) return 'REFUNDED';
  return charges.every(({ status }) => status === 'PENDING' || status === 'EXPIRED')
    ? 'UNPAID'
    : 'UNKNOWN_STATUS';
}

/** A paid charge that no order names. */
export const unclaimed = (charge: Charge): Result => ({
  orderId: null,
  finding: 'UNCLAIMED',
  expected: null,
  ...summary([charge]),
});

const summary = (charges: readonly Charge[]) => ({
  paid: charges.reduce((sum, { amount, status }) => (status === 'PAID' ? sum + amount : sum), 0),
  chargeIds: charges.map(({ id }) => id),
  statuses: charges.map(({ status }) => status),
});
