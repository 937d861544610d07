/** Refunds are always whole (document: "POST /transparents/refund"). */
import { isoTime } from '../../clock.ts';
import type { CreatedCharge } from '../../contract/charge.ts';
import { closeBooks, readBalance, transfer } from './balance.ts';
import { findCharge, showCharge, showChargeInEvent, statusOf } from './charge-records.ts';
import type { Handler } from './handler.ts';
import { ownRecord } from './own-record.ts';
import { assumedRefusal } from './refusal.ts';

/** PAID -> REFUNDED, the balance is debited, REFUND_COMPLETED is emitted. */
export const refundCharge: Handler<'refundCharge'> = (context, { query }) => {
  const { world, merchantId, assume } = context;
  const charge = ownRecord(context, 'charge', query.id, () => findCharge(world, query.id, merchantId));
  const { id, amount } = charge;
  const refuse = (message: string) => assumedRefusal(assume('refund-refused-code'), message);
  const status = statusOf(world, charge);
  if (status === 'EXPIRED') assume('expired-transition');
  if (status === 'DISPUTED') assume('disputed-transition');
  if (status !== 'PAID') throw refuse(`charge ${id} is ${status}; only a PAID charge can be refunded`);
  const { available } = readBalance(world, merchantId);
  if (available < amount && assume('refund-balance') === 'refuse') {
    throw refuse(`insufficient balance: ${available} cents available, ${amount} cents needed`);
  }

  world.store.run(`UPDATE charges SET status = 'REFUNDED' WHERE id = ?`, id);
  transfer(world, {
    merchantId,
    amount,
    source: 'available',
    target: 'outside',
    reason: 'charge refunded',
    reference: id,
  });
  closeBooks(world, merchantId);
  const refunded = findCharge(world, id, merchantId);
  const now = world.clock.now();
  world.emit(merchantId, 'REFUND_COMPLETED', showChargeInEvent(world, refunded), now);
  if (refunded.customerRemoved === 1) assume('removed-customer');
  if (assume('refund-shape') === 'charge') return { status: 200, data: showCharge(world, refunded) };
  const record = { id: world.ids.next('ref'), chargeId: id, amount, status: 'COMPLETED' };
  // The one answer that is meant to leave the contract: to find out who depends on our guess.
  return { status: 200, data: { ...record, createdAt: isoTime(now) } as unknown as CreatedCharge };
};
