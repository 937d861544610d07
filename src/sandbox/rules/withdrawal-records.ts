/** Rows of withdrawals, and how they look to the API (document: "Withdrawal"). Cents throughout. */
import type { WithdrawalStatus } from '../../contract/statuses.ts';
import type { Withdrawal, WithdrawalById } from '../../contract/withdrawal.ts';
import { dateTime } from '../world/date-time.ts';
import type { World } from '../world/world.ts';
import { Refusal } from './refusal.ts';

export interface WithdrawalRow {
  readonly seq: number;
  readonly id: string;
  readonly merchantId: string;
  readonly amount: number;
  readonly fee: number;
  readonly pixKey: string;
  readonly pixKeyType: string;
  readonly status: WithdrawalStatus;
  readonly failedReason: string | null;
  readonly createdAt: number;
}

export const selectWithdrawals = `SELECT seq, id, merchant_id AS merchantId, amount, fee, pix_key AS pixKey, pix_key_type AS pixKeyType,
  status, failed_reason AS failedReason, created_at AS createdAt FROM withdrawals`;

/** Returns a withdrawal of this merchant, or of any if null. Throws `Refusal` NOT_FOUND. */
export function findWithdrawal(world: World, id: string, merchantId: string | null): WithdrawalRow {
  const row = world.store.get<WithdrawalRow>(
    `${selectWithdrawals} WHERE id = ? AND merchant_id = coalesce(?, merchant_id)`,
    id,
    merchantId,
  );
  if (row === undefined) throw new Refusal('NOT_FOUND', `withdrawal ${id} does not exist`);
  return row;
}

/** Shows a withdrawal. `failedReason` only if it is FAILED, unless `withdrawal-without-reason` is null. */
export const toWithdrawal = (world: Pick<World, 'assume'>, row: WithdrawalRow): Withdrawal => ({
  id: row.id,
  amount: row.amount,
  fee: row.fee,
  pixKey: row.pixKey,
  pixKeyType: row.pixKeyType,
  status: row.status,
  ...(row.failedReason === null && world.assume('withdrawal-without-reason') === 'left-out'
    ? {}
    : { failedReason: row.failedReason }),
  createdAt: dateTime(world, row.createdAt),
});

/** Shows it as the API and its events do: with the id's name and form of `withdrawal-id`. */
export function toApiWithdrawal(world: Pick<World, 'assume'>, row: WithdrawalRow): Withdrawal {
  const { id, ...rest } = toWithdrawal(world, row);
  if (world.assume('withdrawal-created-at') === 'left-out') delete rest.createdAt;
  const choice = world.assume('withdrawal-id');
  if (choice === 'other-name') return { withdrawalId: id, ...rest };
  // One created under another choice is not a number. The contract's reader turns a number into text.
  return { id: choice === 'number' && /^\d+$/.test(row.id) ? (Number(id) as never) : id, ...rest };
}

/** Makes a new id: of 15 digits if `withdrawal-id` is a number. */
export const newWithdrawalId = ({ assume, ids }: Pick<World, 'assume' | 'ids'>): string =>
  assume('withdrawal-id') === 'number'
    ? String(1e14 + Math.floor(ids.fraction() * 2 ** 32) * 100_000 + Math.floor(ids.fraction() * 100_000))
    : ids.next('wd');

/** Shows it as the answer to its creation does (`withdrawal-create-shape`). */
export function toCreatedWithdrawal(world: Pick<World, 'assume'>, row: WithdrawalRow): Withdrawal {
  const shown = toApiWithdrawal(world, row);
  if (world.assume('withdrawal-create-shape') === 'withdrawal') return shown;
  // Leaves the contract on purpose, to find out who depends on our guess.
  const { amount: _amount, fee: _fee, pixKey: _key, pixKeyType: _type, createdAt: _at, ...short } = shown;
  return short as Withdrawal;
}

/** Shows it as `GET /withdrawals/{id}` does (`withdrawal-get-shape`). */
export function toReadWithdrawal(world: Pick<World, 'assume'>, row: WithdrawalRow): WithdrawalById {
  const shown = toApiWithdrawal(world, row);
  const choice = world.assume('withdrawal-get-shape');
  if (choice === 'withdrawal') return shown;
  const { fee: _fee, pixKey: _key, pixKeyType: _type, ...short } = shown;
  if (choice === 'short') return short;
  const { amount: _amount, failedReason: _reason, createdAt: _at, ...status } = short;
  return status;
}

/** Shows it as the list does (`withdrawal-listed-key`). */
export function toListedWithdrawal(world: Pick<World, 'assume'>, row: WithdrawalRow): Withdrawal {
  const shown = toApiWithdrawal(world, row);
  const choice = world.assume('withdrawal-listed-key');
  if (choice === 'masked') return { ...shown, pixKey: `***${row.pixKey.slice(-4)}` };
  if (choice === 'left-out') delete shown.pixKey;
  if (choice === 'without-type') delete shown.pixKeyType;
  return shown;
}
