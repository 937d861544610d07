/**
 * The statuses of charges and withdrawals (document: "Resources and their fields"), apart from the schemas: help names
 * them and parses nothing. What a status decides elsewhere is a record over these types, so that a new one is a type
 * error wherever somebody has to say what it means.
 */
export const chargeStatuses = ['PENDING', 'PAID', 'EXPIRED', 'REFUNDED', 'DISPUTED'] as const;
export type ChargeStatus = (typeof chargeStatuses)[number];
/** Whether the document shows the status; others may exist and are shown as they are. */
export const isChargeStatus = (status: string): status is ChargeStatus =>
  (chargeStatuses as readonly string[]).includes(status);

export const withdrawalStatuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] as const;
export type WithdrawalStatus = (typeof withdrawalStatuses)[number];
/** Whether the document shows the status; others may exist and are shown as they are. */
export const isWithdrawalStatus = (status: string): status is WithdrawalStatus =>
  (withdrawalStatuses as readonly string[]).includes(status);
export const inFlightWithdrawalStatuses: readonly string[] = ['PENDING', 'PROCESSING'];
/** Whether it has ended. False for a status that the document does not show, of which nobody knows. */
export const hasEnded = (status: string): status is 'COMPLETED' | 'FAILED' =>
  status === 'COMPLETED' || status === 'FAILED';
