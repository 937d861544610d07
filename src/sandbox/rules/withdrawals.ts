/** Withdrawals as the API sees them (document: "POST /withdrawals", "Withdrawal"). */
import { closeBooks, readBalance, transfer } from './balance.ts';
import type { Context, Handler } from './handler.ts';
import { type Merchant, readMerchant } from './merchants.ts';
import { ownRecord } from './own-record.ts';
import { readPage } from './pagination.ts';
import { assumedRefusal, Refusal } from './refusal.ts';
import {
  findWithdrawal,
  listedWithdrawal,
  selectWithdrawals,
  showWithdrawal,
  type WithdrawalRow,
} from './withdrawal-records.ts';
import { scheduleStep } from './withdrawal-steps.ts';

/** Checks in the document's processing order, reserves `amount + fee`, creates it PENDING and queues it. */
export const createWithdrawal: Handler<'createWithdrawal'> = (context, { body }) => {
  const { world, merchantId } = context;
  const { amount, pixKey, pixKeyType } = body;
  const merchant = readMerchant(world, merchantId);
  mayWithdraw(context, merchant, amount);
  const fee = merchant.withdrawalFee;
  if (fee === Number(world.assume('withdrawal-fee'))) context.assume('withdrawal-fee');
  const { available } = readBalance(world, merchantId);
  if (available < amount + fee) {
    throw new Refusal(
      'BAD_REQUEST',
      `insufficient balance: ${available} cents available, ${amount + fee} cents needed`,
    );
  }

  const id = world.ids.next('wd');
  const now = world.clock.now();
  world.store.run(
    `INSERT INTO withdrawals (id, merchant_id, amount, fee, pix_key, pix_key_type, status, created_at)
     VALUES (?, ?, ?, ?, ?, ?, 'PENDING', ?)`,
    ...[id, merchantId, amount, fee, pixKey, pixKeyType, now],
  );
  transfer(world, {
    merchantId,
    amount: amount + fee,
    source: 'available',
    target: 'pending',
    reason: 'withdrawal reserved',
    reference: id,
  });
  closeBooks(world, merchantId);
  scheduleStep(world, id);
  return { status: 201, data: showWithdrawal(world, findWithdrawal(world, id, merchantId)) };
};

export const getWithdrawal: Handler<'getWithdrawal'> = (context, { path }) => {
  const { world, merchantId } = context;
  const row = ownRecord(context, 'withdrawal', path.id, () => findWithdrawal(world, path.id, merchantId));
  return { status: 200, data: showWithdrawal(world, row) };
};

export const listWithdrawals: Handler<'listWithdrawals'> = (context, { query }) => {
  const list = {
    name: `withdrawals/${context.merchantId}`,
    select: `${selectWithdrawals} WHERE merchant_id = ?`,
    exists: 'SELECT 1 FROM withdrawals WHERE merchant_id = ?',
    parameters: [context.merchantId],
  };
  const { rows, pagination } = readPage<WithdrawalRow>(context, list, query);
  return { status: 200, data: rows.map((row) => listedWithdrawal(context.world, row)), pagination };
};

function mayWithdraw({ world, assume }: Context, merchant: Merchant, amount: number): void {
  if (!merchant.withdrawalsEnabled) {
    throw new Refusal('FORBIDDEN', 'withdrawals are disabled for this merchant');
  }
  const busy = world.store.get<{ id: string; status: string }>(
    `SELECT id, status FROM withdrawals WHERE merchant_id = ? AND status IN ('PENDING', 'PROCESSING')`,
    merchant.id,
  );
  if (busy !== undefined) {
    throw assumedRefusal(
      assume('withdrawal-busy-code'),
      `withdrawal ${busy.id} is ${busy.status}; one at a time`,
    );
  }
  const limit = merchant.withdrawalLimit;
  if (amount > limit) {
    throw assumedRefusal(
      assume('withdrawal-limit-code'),
      `amount: is above this merchant's limit of ${limit} cents`,
    );
  }
}
