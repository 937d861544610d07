/**
 * The statuses of charges and withdrawals (document: "Resources and their fields"), apart from the schemas: help names
 * them and parses nothing. Whether one is still to be paid or waited for is a record over these types, so that a new
 * one is a type error where somebody has to say so.
 */
export const chargeStatuses = ['PENDING', 'PAID', 'EXPIRED', 'REFUNDED', 'DISPUTED'] as const;
export type ChargeStatus = (typeof chargeStatuses)[number];
/** Whether the document shows the status; others may exist and are shown as they are. */
export const isChargeStatus = (status: string): status is ChargeStatus =>
  (chargeStatuses as readonly string[]).includes(status);

const payable: Readonly<Record<ChargeStatus, boolean>> = {
  PENDING: true,
  PAID: false,
  EXPIRED: false,
  REFUNDED: false,
  DISPUTED: false,
};
/** Whether somebody may still pay such a charge. False for a status that the document does not show. */
export const mayBePaid = (status: string): boolean => isChargeStatus(status) && payable[status];

export const withdrawalStatuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] as const;
export type WithdrawalStatus = (typeof withdrawalStatuses)[number];
/** Whether the document shows the status; others may exist and are shown as they are. */
export const isWithdrawalStatus = (status: string): status is WithdrawalStatus =>
  (withdrawalStatuses as readonly string[]).includes(status);

const courses = {
  PENDING: 'in-flight',
  PROCESSING: 'in-flight',
  COMPLETED: 'ended',
  FAILED: 'ended',
} as const satisfies Record<WithdrawalStatus, 'in-flight' | 'ended'>;

type Ended = { [S in WithdrawalStatus]: (typeof courses)[S] extends 'ended' ? S : never }[WithdrawalStatus];

/** Whether it has ended. False for a status that the document does not show, of which nobody knows. */
export const hasEnded = (status: string): status is Ended =>
  isWithdrawalStatus(status) && courses[status] === 'ended';
/** Whether it is on its way. False, too, for a status that the document does not show. */
export const isInFlight = (status: string): boolean =>
  isWithdrawalStatus(status) && courses[status] === 'in-flight';
