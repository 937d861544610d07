/** How a withdrawal proceeds (document: "States and transitions", "Withdrawal"). */
import type { Withdrawal } from '../../contract/withdrawal.ts';
import { inFlightCondition } from '../store/schema.ts';
import type { Job, JobHandler, World } from '../world/world.ts';
import { requireBalancedBooks, transfer } from './balance.ts';
import { Refusal } from './refusal.ts';
import { findWithdrawal, toApiWithdrawal, toWithdrawal, type WithdrawalRow } from './withdrawal-records.ts';

/** Kind of the job that takes a withdrawal one step further. Its payload is the withdrawal's id. */
export const withdrawalStepJob = 'withdrawal.step';

/** Queues the next step according to the world's progression; `manual` waits for a person. */
export function scheduleStep(world: World, id: string): void {
  if (world.settings.withdrawals !== 'manual') world.schedule(withdrawalStepJob, nextStepAt(world), id);
}

const nextStepAt = ({ clock, settings }: World): number =>
  clock.now() + (settings.withdrawals === 'timed' ? settings.withdrawalStepMs : 0);

/** Continues what an earlier run or a snapshot left in flight, by the world's progression now, not then. */
export function resumeWithdrawals(world: World): void {
  const { store, settings } = world;
  if (settings.withdrawals === 'manual') {
    store.run('DELETE FROM jobs WHERE kind = ?', withdrawalStepJob);
    return;
  }
  // What is waiting already may have been told to wait longer than is asked for now.
  const latest = nextStepAt(world);
  store.run('UPDATE jobs SET due_at = ? WHERE kind = ? AND due_at > ?', latest, withdrawalStepJob, latest);
  const left = store.all<{ id: string }>(
    `SELECT id FROM withdrawals WHERE ${inFlightCondition}
       AND NOT EXISTS (SELECT 1 FROM jobs WHERE kind = ? AND payload = json_quote(withdrawals.id))`,
    withdrawalStepJob,
  );
  for (const { id } of left) scheduleStep(world, id);
}

/** PENDING -> PROCESSING -> COMPLETED, one step per job. One that a person has ended in the meantime is left alone. */
export const withdrawalStepHandler: JobHandler = {
  run(world: World, job: Job) {
    const withdrawal = findWithdrawal(world, String(job.payload), null);
    if (withdrawal.status === 'PENDING') {
      startProcessing(world, withdrawal);
      scheduleStep(world, withdrawal.id);
    } else if (withdrawal.status === 'PROCESSING') end(world, withdrawal, null);
  },
};

/** The provider confirms: the reserved money leaves. Throws `Refusal` if it has ended already. */
export const completeWithdrawal = (world: World, id: string): Withdrawal => endByHand(world, id, null);

export const defaultFailureReason = 'failed by hand in the sandbox';

/** The provider fails: `failedReason` is set and the reserved money restored. Throws `Refusal` likewise. */
export const failWithdrawal = (world: World, id: string, reason: string): Withdrawal =>
  endByHand(world, id, reason);

function endByHand(world: World, id: string, failedReason: string | null): Withdrawal {
  return world.store.transaction(() => {
    const withdrawal = findWithdrawal(world, id, null);
    const { status } = withdrawal;
    if (status !== 'PENDING' && status !== 'PROCESSING') {
      throw new Refusal('BAD_REQUEST', `withdrawal ${id} is ${status}; it has ended already`);
    }
    // The only way from PENDING to an end is through PROCESSING.
    if (status === 'PENDING') startProcessing(world, withdrawal);
    end(world, withdrawal, failedReason);
    return toWithdrawal(world, findWithdrawal(world, id, null));
  });
}

function end(
  world: World,
  { id, merchantId, amount, fee }: WithdrawalRow,
  failedReason: string | null,
): void {
  const failed = failedReason !== null;
  world.store.run(
    'UPDATE withdrawals SET status = ?, failed_reason = ? WHERE id = ?',
    failed ? 'FAILED' : 'COMPLETED',
    failedReason,
    id,
  );
  transfer(world, {
    merchantId,
    amount: amount + fee,
    source: 'pending',
    target: failed ? 'available' : 'outside',
    reason: failed ? 'withdrawal restored' : 'withdrawal sent',
    reference: id,
  });
  requireBalancedBooks(world, merchantId);
  const shown = toApiWithdrawal(world, findWithdrawal(world, id, merchantId));
  const data = world.assume('event-data-shape') === 'nested' ? { withdrawal: shown } : shown;
  world.emit(merchantId, failed ? 'WITHDRAWAL_FAILED' : 'WITHDRAWAL_COMPLETED', data);
}

const startProcessing = (world: World, { id }: WithdrawalRow): void => {
  world.store.run("UPDATE withdrawals SET status = 'PROCESSING' WHERE id = ?", id);
};
