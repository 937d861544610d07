/** Says which events a change of status means (document: "States and transitions"). Pure. */
import type { EventName } from '../../contract/event-names.ts';
import {
  type ChargeStatus,
  isChargeStatus,
  isWithdrawalStatus,
  type WithdrawalStatus,
} from '../../contract/statuses.ts';

export type ResourceKind = 'charge' | 'withdrawal';

/** Returns event names in the order in which the service would have sent them. `before` null: not seen before. */
export function eventsOfChange(kind: ResourceKind, before: string | null, after: string): readonly string[] {
  const earlier = before === null ? [] : eventsUpTo(kind, before);
  return eventsUpTo(kind, after).filter((event) => !earlier.includes(event));
}

/** Returns every event that a resource in this status has behind it; none for a status that is not documented. */
function eventsUpTo(kind: ResourceKind, status: string): readonly EventName[] {
  if (kind === 'charge') return isChargeStatus(status) ? eventsOfCharge[status] : [];
  return isWithdrawalStatus(status) ? eventsOfWithdrawal[status] : [];
}

const eventsOfCharge: Readonly<Record<ChargeStatus, readonly EventName[]>> = {
  PENDING: [],
  PAID: ['CHARGE_PAID'],
  // The service sends CHARGE_EXPIRED to nobody, and the document shows no event of a dispute.
  EXPIRED: [],
  DISPUTED: ['CHARGE_PAID'],
  REFUNDED: ['CHARGE_PAID', 'REFUND_COMPLETED'],
};

const eventsOfWithdrawal: Readonly<Record<WithdrawalStatus, readonly EventName[]>> = {
  PENDING: [],
  PROCESSING: [],
  COMPLETED: ['WITHDRAWAL_COMPLETED'],
  FAILED: ['WITHDRAWAL_FAILED'],
};
