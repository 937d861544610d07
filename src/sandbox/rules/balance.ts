/**
 * Both balance buckets as a double-entry ledger. Every movement takes from one account and gives the same to another.
 * `outside` is the rest of the world, so the three always add up to zero, and `available + pending` changes only by
 * what was paid in or sent out. The schema's CHECK refuses anything else, and `requireBalancedBooks` ends each money
 * transaction by comparing `pending` with what is in flight. Amounts in cents.
 */
import { inFlightCondition } from '../store/schema.ts';
import type { World } from '../world/world.ts';
import { Refusal } from './refusal.ts';

export type Account = 'available' | 'pending' | 'outside';

export interface Balance {
  readonly available: number;
  readonly pending: number;
}

export interface Transfer {
  readonly merchantId: string;
  readonly source: Account;
  readonly target: Account;
  readonly amount: number;
  readonly reason:
    | 'charge paid'
    | 'charge refunded'
    | 'withdrawal reserved'
    | 'withdrawal sent'
    | 'withdrawal restored'
    | 'adjustment';
  /** Id of the charge or withdrawal. */
  readonly reference: string | null;
}

export function openBalance(world: World, merchantId: string): void {
  world.store.run('INSERT INTO balances (merchant_id) VALUES (?)', merchantId);
}

/** Returns both buckets, in cents. Throws if there is no such merchant, which is a bug. */
export function readBalance(world: World, merchantId: string): Balance {
  const balance = world.store.get<Balance>(
    'SELECT available, pending FROM balances WHERE merchant_id = ?',
    merchantId,
  );
  if (balance === undefined) throw new Error(`merchant ${merchantId} has no balance`);
  return balance;
}

/** Books one movement. Call it in the transaction of what causes it. */
export function transfer(world: World, entry: Transfer): void {
  const { merchantId, source, target, amount, reason, reference } = entry;
  world.store.run(
    'INSERT INTO transfers (merchant_id, source, target, amount, reason, reference, at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    merchantId,
    source,
    target,
    amount,
    reason,
    reference,
    world.clock.now(),
  );
  world.store.run(
    `UPDATE balances SET ${source} = ${source} - ?1, ${target} = ${target} + ?1 WHERE merchant_id = ?2`,
    amount,
    merchantId,
  );
}

/** Fifteen digits, as flags take them: a balance that grows from there can still be read as a number. */
const maxBalanceCents = 999_999_999_999_999;

/** Sets the available balance (whole cents), booked against the outside. Throws `Refusal` if it is too large. */
export function adjustAvailable(world: World, merchantId: string, available: number): void {
  if (Math.abs(available) > maxBalanceCents) {
    throw new Refusal('VALIDATION_ERROR', `available: must be at most ${maxBalanceCents} cents`);
  }
  const difference = available - readBalance(world, merchantId).available;
  if (difference === 0) return;
  const [source, target] =
    difference > 0 ? (['outside', 'available'] as const) : (['available', 'outside'] as const);
  const amount = Math.abs(difference);
  transfer(world, { merchantId, source, target, amount, reason: 'adjustment', reference: null });
}

/** Throws if `pending` is not exactly what is in flight, which rolls the transaction back. */
export function requireBalancedBooks(world: World, merchantId: string): void {
  const wrong = world.store.get<{ pending: number; inFlight: number }>(
    `SELECT pending, coalesce((SELECT sum(amount + fee) FROM withdrawals w
       WHERE w.merchant_id = b.merchant_id AND ${inFlightCondition}), 0) AS inFlight
     FROM balances b WHERE merchant_id = ? AND pending <> inFlight`,
    merchantId,
  );
  if (wrong !== undefined) {
    throw new Error(
      `the books of ${merchantId} do not balance: ${wrong.pending} pending, ${wrong.inFlight} in flight`,
    );
  }
}
