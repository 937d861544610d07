import type { Elsewhere } from '../../withdrawal/outcome/elsewhere.ts';

/** A key of another label or address on one line, for a table or csv. */
export const elsewhereText = ({
  withdrawalId,
  merchant,
  baseUrl,
  idempotencyKey,
  state,
}: Elsewhere): string => `${withdrawalId}: ${idempotencyKey} ${state} (${merchant} at ${baseUrl})`;
