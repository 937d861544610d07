/** Opens the protocol for a run that may send. */
import type { Runtime } from '../../runtime.ts';
import { type Looking, type Order, refuseOtherLabel } from './implied-label.ts';
import { refuseOtherAddress } from './other-address.ts';
import { openProtocol, type Protocol } from './protocol.ts';

/** Throws as `refuseSentElsewhere` does. */
export async function openToSend(runtime: Runtime, orders: readonly Order[]): Promise<Protocol> {
  const protocol = await openProtocol(runtime);
  await refuseSentElsewhere(runtime, protocol, orders);
  return protocol;
}

/** Throws 78 if another label or address, most likely of this same merchant, has sent one of the orders. */
export async function refuseSentElsewhere(
  runtime: Runtime,
  seen: Looking,
  orders: readonly Order[],
): Promise<void> {
  await refuseOtherAddress(runtime, seen, orders);
  await refuseOtherLabel(runtime, seen, orders);
}
