/**
 * The same order under the same key, whose outcome is unknown at another address. If both are names of one service (its
 * address was changed between two runs), the list there may not show it yet, and here it would be sent again.
 */
import { formatCents } from '../../contract/money.ts';
import { configError } from '../../errors.ts';
import { keyLine } from '../../flags/command-line.ts';
import { addressIn, type Intent, labelOf } from '../../ledger/intent.ts';
import type { Runtime } from '../../runtime.ts';
import { bodyText } from '../../withdrawal/matching/body.ts';
import { isSameOrder } from '../../withdrawal/settling/look.ts';
import { isLabelNamed, type Order, sendableOf } from './implied-label.ts';
import { type Protocol, usesSandboxKey } from './protocol.ts';

/**
 * Throws 78 where one of these orders is to be sent, and the ledger has it as SENDING or UNKNOWN at another address:
 * under this label, or under any where nobody named this run's. With the key of a sandbox no money moves.
 */
export async function refuseOtherAddress(
  runtime: Runtime,
  protocol: Protocol,
  orders: readonly Order[],
): Promise<void> {
  const {
    scope,
    dependencies: { ledger },
  } = protocol;
  const isNamed = await isLabelNamed(runtime);
  const open = (await ledger.openElsewhere(scope)).filter(
    (one) => addressIn(one.scope) !== addressIn(scope) && !(isNamed && labelOf(one.scope) !== labelOf(scope)),
  );
  for (const one of open) {
    const same = orders.filter(
      (order) => order.idempotencyKey === one.idempotencyKey && isSameOrder(one, bodyText(order)),
    );
    if ((await sendableOf(protocol, same)).length === 0) continue;
    if (await usesSandboxKey(runtime)) return;
    throw otherAddress(one, isNamed);
  }
}

function otherAddress({ scope, idempotencyKey, amount, state }: Intent, isNamed: boolean) {
  const address = addressIn(scope).trim();
  const settle = keyLine(['pixctl', 'withdrawal', 'reconcile'], idempotencyKey, '--base-url', address);
  // With another address than the current profile's, a label that nobody names would be `default` there.
  const asThat = isNamed ? '' : ` with PIXCTL_MERCHANT=${labelOf(scope)}`;
  return configError(
    'OTHER_ADDRESS',
    `the outcome of this same withdrawal (key ${idempotencyKey}, ${formatCents(amount)}, ${state}) at another address, ${address}, is not known, so it may be sent twice from here; nothing was sent`,
    `Settle it first${asThat}: ${settle}. If that is another service: use another idempotency key here, or another merchant label (PIXCTL_MERCHANT).`,
  );
}
