/** Opens the protocol for a run that may send. */
import type { Runtime } from '../../runtime.ts';
import { type Order, refuseOtherLabel } from './implied-label.ts';
import { refuseOtherAddress } from './other-address.ts';
import { openProtocol, type Protocol } from './protocol.ts';

/** Throws 78 if another label or address, most likely of this same merchant, has sent one of the orders. */
export async function openToSend(runtime: Runtime, orders: readonly Order[]): Promise<Protocol> {
  const protocol = await openProtocol(runtime);
  await refuseOtherAddress(runtime, protocol, orders);
  await refuseOtherLabel(runtime, protocol, orders);
  return protocol;
}
