/** Every operation of the contract, and its handler. */
import { createCharge, getCharge, listCharges } from './charges.ts';
import { getCustomer } from './customers.ts';
import type { Handlers } from './handler.ts';
import { refundCharge } from './refunds.ts';
import { webhookHandlers } from './webhooks.ts';
import { createWithdrawal, getWithdrawal, listWithdrawals } from './withdrawals.ts';

export const handlers: Handlers = {
  createCharge,
  getCharge,
  refundCharge,
  listCharges,
  getCustomer,
  createWithdrawal,
  listWithdrawals,
  getWithdrawal,
  ...webhookHandlers,
};
