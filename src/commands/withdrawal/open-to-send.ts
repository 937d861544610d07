/** Opens the protocol for a run that may send, unless another label or address has sent one of its orders. */
import { addressSuffixOf, labelOf } from '../../ledger/intent.ts';
import { usesSandboxKey } from '../../runtime/uses-sandbox-key.ts';
import type { Runtime } from '../../runtime.ts';
import { bodyText } from '../../withdrawal/matching/body.ts';
import { unknownElsewhereError } from '../../withdrawal/outcome/other-address.ts';
import { isSameOrder } from '../../withdrawal/settling/check-ledger.ts';
import { findSendable, isLabelNamed, type Looking, type Order, refuseOtherLabel } from './implied-label.ts';
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

/**
 * Guards against the same order under the same key whose outcome is unknown at another address. If both are names of
 * one service (its address was changed between two runs), its list may not show it yet, and this run would send it
 * again.
 *
 * Throws 78 if one of these orders is to be sent and the ledger has it as SENDING or UNKNOWN at another address: under
 * this label, or under any if nobody named this run's. With a sandbox key no money moves.
 */
async function refuseOtherAddress(
  runtime: Runtime,
  protocol: Looking,
  orders: readonly Order[],
): Promise<void> {
  const {
    scope,
    dependencies: { ledger },
  } = protocol;
  const isNamed = await isLabelNamed(runtime);
  const open = (await ledger.openElsewhere(scope)).filter(
    (one) =>
      addressSuffixOf(one.scope) !== addressSuffixOf(scope) &&
      !(isNamed && labelOf(one.scope) !== labelOf(scope)),
  );
  for (const one of open) {
    const same = orders.filter(
      (order) => order.idempotencyKey === one.idempotencyKey && isSameOrder(one, bodyText(order)),
    );
    if ((await findSendable(protocol, same)).length === 0) continue;
    if (await usesSandboxKey(runtime)) return;
    throw unknownElsewhereError(one, isNamed);
  }
}
