/** What happens to a charge without any call of the API: it is paid, expires, is disputed. */
import type { Charge } from '../../contract/charge.ts';
import type { World } from '../world/world.ts';
import { requireBalancedBooks, transfer } from './balance.ts';
import {
  type ChargeRow,
  findCharge,
  isUnderRefund,
  statusOf,
  toCharge,
  toChargeEventData,
} from './charge-records.ts';
import { Refusal } from './refusal.ts';

/** A customer pays: PENDING (`expired-transition`: or EXPIRED) -> PAID, the balance credited, CHARGE_PAID emitted. */
export function payCharge(world: World, id: string): Charge {
  return change(world, id, 'PENDING', 'PAID', (charge) => {
    const { merchantId, amount } = charge;
    transfer(world, {
      merchantId,
      amount,
      source: 'outside',
      target: 'available',
      reason: 'charge paid',
      reference: id,
    });
    requireBalancedBooks(world, merchantId);
    world.emit(merchantId, 'CHARGE_PAID', toChargeEventData(world, charge));
  });
}

/** Ends a charge's time now: PENDING -> EXPIRED. No event: nothing sends CHARGE_EXPIRED. */
export const expireCharge = (world: World, id: string): Charge => change(world, id, 'PENDING', 'EXPIRED');

/** An infraction (MED) is opened: PAID -> DISPUTED. No event, no money moves (`disputed-transition`). */
export const disputeCharge = (world: World, id: string): Charge =>
  change(world, id, 'PAID', 'DISPUTED', () => {
    if (isUnderRefund(world, id)) throw new Refusal('BAD_REQUEST', `charge ${id} is being refunded`);
  });

/** Whether it can be paid. An expired one can under one assumption only (`expired-transition`). */
export const isPayable = (world: World, status: Charge['status']): boolean =>
  status === 'PENDING' || (status === 'EXPIRED' && world.assume('expired-transition') === 'still-payable');

/** Changes the state of a charge. Throws `Refusal`: NOT_FOUND, or BAD_REQUEST if it is in another state. */
function change(
  world: World,
  id: string,
  from: 'PENDING' | 'PAID',
  to: Charge['status'],
  then: (charge: ChargeRow) => void = () => {},
): Charge {
  return world.store.transaction(() => {
    const status = statusOf(world, findCharge(world, id, null));
    const may = to === 'PAID' ? isPayable(world, status) : status === from;
    if (!may) {
      throw new Refusal('BAD_REQUEST', `charge ${id} is ${status}; only a ${from} one can become ${to}`);
    }
    world.store.run('UPDATE charges SET status = ? WHERE id = ?', to, id);
    const charge = findCharge(world, id, null);
    then(charge);
    return toCharge(world, charge);
  });
}
