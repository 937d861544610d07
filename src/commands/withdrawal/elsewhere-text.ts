import type { OwnerElsewhere } from '../../withdrawal/outcome/owner-elsewhere.ts';

/** A key of another label or address on one line, for a table or csv. */
export const elsewhereText = ({
  withdrawalId,
  merchant,
  baseUrl,
  idempotencyKey,
  state,
}: OwnerElsewhere): string => `${withdrawalId}: ${idempotencyKey} ${state} (${merchant} at ${baseUrl})`;
