/** The names of the documented calls, for a test that only connects: it loads no operations, with their schemas. */
import type { OperationName } from '../../contract/operations.ts';

const record: Readonly<Record<OperationName, true>> = {
  createCharge: true,
  getCharge: true,
  refundCharge: true,
  listCharges: true,
  getCustomer: true,
  createWithdrawal: true,
  listWithdrawals: true,
  getWithdrawal: true,
  createWebhook: true,
  listDeliveries: true,
};

export const operationNames = Object.keys(record) as OperationName[];
