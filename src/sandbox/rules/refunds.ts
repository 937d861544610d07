/** Refunds are always whole (document: "POST /transparents/refund"). */
import type { CreatedCharge } from '../../contract/charge.ts';
import { dateTime } from '../world/date-time.ts';
import type { Job, JobHandler, World } from '../world/world.ts';
import { readBalance, requireBalancedBooks, transfer } from './balance.ts';
import {
  findCharge,
  isUnderRefund,
  refundCompletionJob,
  statusOf,
  toCharge,
  toChargeEventData,
} from './charge-records.ts';
import type { Handler } from './handler.ts';
import { findOwnRecord } from './own-record.ts';
import { assumedRefusal } from './refusal.ts';

/** Debits the balance. At once or later (`refund-completion`), PAID -> REFUNDED, and REFUND_COMPLETED is emitted. */
export const refundCharge: Handler<'refundCharge'> = (context, { query }) => {
  const { world, merchantId, assume } = context;
  const charge = findOwnRecord(context, 'charge', query.id, () => findCharge(world, query.id, merchantId));
  const { id, amount } = charge;
  const refuse = (message: string) => assumedRefusal(assume('refund-refused-code'), message);
  const status = statusOf(world, charge);
  if (status === 'EXPIRED') assume('expired-transition');
  if (status === 'DISPUTED') assume('disputed-transition');
  if (status !== 'PAID') throw refuse(`charge ${id} is ${status}; only a PAID charge can be refunded`);
  if (isUnderRefund(world, id)) throw refuse(`charge ${id} is being refunded already`);
  const { available } = readBalance(world, merchantId);
  if (available < amount && assume('refund-balance') === 'refuse') {
    throw refuse(`insufficient balance: ${available} cents available, ${amount} cents needed`);
  }

  transfer(world, {
    merchantId,
    amount,
    source: 'available',
    target: 'outside',
    reason: 'charge refunded',
    reference: id,
  });
  requireBalancedBooks(world, merchantId);
  const now = world.clock.now();
  const completion = assume('refund-completion');
  if (completion === 'at-once') completeRefund(world, id);
  else world.schedule(refundCompletionJob, now + Number.parseInt(completion, 10) * 1_000, id);
  const refunded = findCharge(world, id, merchantId);
  if (refunded.customerRemoved === 1) assume('removed-customer');
  if (assume('refund-shape') === 'charge') return { status: 200, data: toCharge(world, refunded) };
  const record = {
    id: world.ids.next('ref'),
    chargeId: id,
    amount,
    status: completion === 'at-once' ? 'COMPLETED' : 'PENDING',
  };
  // The one answer that leaves the contract on purpose, to find out who depends on our guess.
  return { status: 200, data: { ...record, createdAt: dateTime(world, now) } as unknown as CreatedCharge };
};

export const refundCompletionHandler: JobHandler = {
  run: (world: World, { payload }: Job) => completeRefund(world, String(payload)),
};

function completeRefund(world: World, id: string): void {
  world.store.run(`UPDATE charges SET status = 'REFUNDED' WHERE id = ?`, id);
  const refunded = findCharge(world, id, null);
  world.emit(refunded.merchantId, 'REFUND_COMPLETED', toChargeEventData(world, refunded));
}
