/** Withdrawals as the API sees them (document: "POST /withdrawals", "Withdrawal"). */
import { inFlightCondition } from '../store/schema.ts';
import { readBalance, requireBalancedBooks, transfer } from './balance.ts';
import type { Context, Handler } from './handler.ts';
import { type Merchant, readMerchant } from './merchants.ts';
import { findOwnRecord } from './own-record.ts';
import { readMaybeUnpaged } from './pagination.ts';
import { assumedRefusal, Refusal } from './refusal.ts';
import {
  findWithdrawal,
  newWithdrawalId,
  selectWithdrawals,
  toCreatedWithdrawal,
  toListedWithdrawal,
  toReadWithdrawal,
  type WithdrawalRow,
} from './withdrawal-records.ts';
import { scheduleStep } from './withdrawal-steps.ts';

/** Checks in the document's processing order, reserves `amount + fee`, creates it PENDING and queues it. */
export const createWithdrawal: Handler<'createWithdrawal'> = (context, { body }) => {
  const { world, merchantId } = context;
  const { amount, pixKey, pixKeyType } = body;
  const merchant = readMerchant(world, merchantId);
  const fee = merchant.withdrawalFee;
  requireWithdrawable(context, merchant, amount);
  noteFee(context, fee);

  const id = newWithdrawalId(world);
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
  requireBalancedBooks(world, merchantId);
  scheduleStep(world, id);
  return { status: 201, data: toCreatedWithdrawal(world, findWithdrawal(world, id, merchantId)) };
};

export const getWithdrawal: Handler<'getWithdrawal'> = (context, { path }) => {
  const { world, merchantId } = context;
  const row = findOwnRecord(context, 'withdrawal', path.id, () => findWithdrawal(world, path.id, merchantId));
  return { status: 200, data: toReadWithdrawal(world, row) };
};

export const listWithdrawals: Handler<'listWithdrawals'> = (context, { query }) => {
  const { world, merchantId } = context;
  const isAll = world.assume('withdrawal-list-scope') === 'all';
  const where = `WHERE merchant_id = ?${isAll ? '' : ` AND ${inFlightCondition}`}`;
  const list = {
    name: `withdrawals/${merchantId}`,
    select: `${selectWithdrawals} ${where}`,
    exists: `SELECT 1 FROM withdrawals ${where}`,
    parameters: [merchantId],
    createdAt: 'created_at',
  };
  const shape = world.assume('withdrawal-list-shape');
  const { rows, ...page } = readMaybeUnpaged<WithdrawalRow>(context, shape, list, query);
  return { status: 200, data: rows.map((row) => toListedWithdrawal(world, row)), ...page };
};

/** Notes that the answer rests on the assumed fee. One set by `sandbox merchant set` is not a guess. */
function noteFee({ world, assume }: Context, fee: number): void {
  if (fee === Number(world.assume('withdrawal-fee'))) assume('withdrawal-fee');
}

type Check = 'enabled' | 'free' | 'limit' | 'balance';

/** The orders of assumption `withdrawal-check-order`. */
const checkOrders: Readonly<Record<string, readonly Check[]>> = {
  'balance-last': ['enabled', 'free', 'limit', 'balance'],
  'as-numbered': ['enabled', 'free', 'balance', 'limit'],
  'amount-first': ['limit', 'balance', 'enabled', 'free'],
};

/** Throws the `Refusal` that comes first. If several apply, which one that is is an open point. */
function requireWithdrawable(context: Context, merchant: Merchant, amount: number): void {
  const wrong = findFailingChecks(context, merchant, amount);
  const failing = Object.keys(wrong).length;
  if (failing === 0) return;
  const order = checkOrders[failing > 1 ? context.assume('withdrawal-check-order') : 'balance-last'] ?? [];
  for (const check of order) {
    const refusal = wrong[check];
    if (refusal !== undefined) throw refusal();
  }
}

/** Returns each check that fails, with its refusal. */
function findFailingChecks(
  context: Context,
  merchant: Merchant,
  amount: number,
): Partial<Record<Check, () => Refusal>> {
  const { world, assume } = context;
  const { id, withdrawalsEnabled, withdrawalLimit: limit, withdrawalFee } = merchant;
  const needed = amount + withdrawalFee;
  const { available } = readBalance(world, id);
  const busy = world.store.get<{ id: string; status: string }>(
    `SELECT id, status FROM withdrawals WHERE merchant_id = ? AND ${inFlightCondition}`,
    id,
  );
  const wrong: Partial<Record<Check, () => Refusal>> = {};
  if (!withdrawalsEnabled)
    wrong.enabled = () => new Refusal('FORBIDDEN', 'withdrawals are disabled for this merchant');
  if (busy !== undefined) {
    const message = `withdrawal ${busy.id} is ${busy.status}; one at a time`;
    wrong.free = () => assumedRefusal(assume('withdrawal-busy-code'), message);
  }
  if (amount > limit) {
    const message = `amount: is above this merchant's limit of ${limit} cents`;
    wrong.limit = () => assumedRefusal(assume('withdrawal-limit-code'), message);
  }
  if (available < needed) {
    const message = `insufficient balance: ${available} cents available, ${needed} cents needed`;
    wrong.balance = () => {
      noteFee(context, withdrawalFee);
      return new Refusal('BAD_REQUEST', message);
    };
  }
  return wrong;
}
