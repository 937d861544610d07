/** Compares orders with charges. Pure. */
import type { Charge } from '../../contract/charge.ts';
import { type ChargeStatus, isChargeStatus } from '../../contract/statuses.ts';
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
  /** The amount that the order asks for, in cents; null without an order. */
  readonly expected: number | null;
  /** The total of its PAID charges, in cents. */
  readonly paid: number;
  readonly chargeIds: readonly string[];
  readonly statuses: readonly string[];
}

/** What is kept of a charge, since there may be as many as orders. */
export type KeptCharge = Pick<Charge, 'id' | 'txid' | 'amount' | 'status'>;

export const keptChargeOf = ({ id, txid, amount, status }: Charge): KeptCharge => ({
  id,
  txid,
  amount,
  status,
});

/** The charges that orders may name, by id and by txid. */
interface ChargeIndex {
  readonly byId: ReadonlyMap<string, KeptCharge>;
  readonly byTxid: ReadonlyMap<string, KeptCharge>;
}

/** Yields one result for each order, in the order of the file, each made on demand. */
export function* compare(
  lines: readonly OrderLine[],
  found: ChargeIndex,
): Generator<Result, void, undefined> {
  const orders = Map.groupBy(lines, ({ orderId }) => orderId);
  const chargesOf = (own: readonly OrderLine[]) => [
    ...new Set(own.flatMap((line) => chargeOf(line, found) ?? [])),
  ];
  const claims = new Map<string, number>();
  for (const own of orders.values()) {
    for (const { id } of chargesOf(own)) claims.set(id, (claims.get(id) ?? 0) + 1);
  }
  for (const [orderId, own] of orders) {
    const charges = chargesOf(own);
    const expected = own[0]?.amount ?? 0;
    const isShared = charges.some(({ id }) => (claims.get(id) ?? 0) > 1);
    const isWhole = own.every((line) => namesNone(line) || chargeOf(line, found) !== null);
    yield {
      orderId,
      finding: isShared ? 'SHARED' : findingOf(expected, charges, isWhole),
      expected,
      ...summary(charges),
    };
  }
}

/**
 * Returns the charge of a line. A line that names both must mean the same charge, as far as the service shows it: a
 * list may leave the txid out.
 */
function chargeOf({ chargeId, txid }: OrderLine, { byId, byTxid }: ChargeIndex): KeptCharge | null {
  const charge =
    (chargeId === null ? undefined : byId.get(chargeId)) ??
    (chargeId === null && txid !== null ? byTxid.get(txid) : undefined);
  if (charge === undefined) return null;
  return txid === null || !charge.txid || charge.txid === txid ? charge : null;
}

/** Whether a line names no charge because there is none yet: it claims nothing. */
const namesNone = ({ chargeId, txid }: OrderLine): boolean => chargeId === null && txid === null;

/** Returns the worst that is true of an order, money first. `isWhole`: the service has every charge that it names. */
function findingOf(expected: number, charges: readonly KeptCharge[], isWhole: boolean): Finding {
  const paid = charges.filter(({ status }) => status === 'PAID');
  if (paid.length > 1) return 'PAID_TWICE';
  if (charges.some(({ status }) => status === 'DISPUTED')) return 'DISPUTED';
  if (paid[0] !== undefined && paid[0].amount !== expected) return 'WRONG_AMOUNT';
  // Another line's charge may be paid too: neither a mistyped id nor an undocumented status may hide a second payment.
  if (paid[0] !== undefined) {
    if (!isWhole) return 'MISSING';
    return charges.every(({ status }) => isChargeStatus(status)) ? 'OK' : 'UNKNOWN_STATUS';
  }
  if (charges.length === 0) return 'MISSING';
  if (charges.some(({ status }) => status === 'REFUNDED')) return 'REFUNDED';
  return charges.every(({ status }) => isChargeStatus(status) && isUnpaid[status])
    ? 'UNPAID'
    : 'UNKNOWN_STATUS';
}

const isUnpaid: Readonly<Record<ChargeStatus, boolean>> = {
  PENDING: true,
  PAID: false,
  EXPIRED: true,
  REFUNDED: false,
  DISPUTED: false,
};

/** A paid charge that no order names. */
export const unclaimedResult = (charge: KeptCharge): Result => ({
  orderId: null,
  finding: 'UNCLAIMED',
  expected: null,
  ...summary([charge]),
});

const summary = (charges: readonly KeptCharge[]) => ({
  paid: charges.reduce((sum, { amount, status }) => (status === 'PAID' ? sum + amount : sum), 0),
  chargeIds: charges.map(({ id }) => id),
  statuses: charges.map(({ status }) => status),
});
