/**
 * A merchant label that nobody named. With address or key from the environment it is that of the current profile where
 * the address is its, else `default`: so it changes with a login or `profile use`, which the run knows nothing of, and
 * under the new one every key of before would be sent again.
 */
import type { IdempotencyKey } from '../../contract/brand.ts';
import { formatCents } from '../../contract/money.ts';
import type { CreateWithdrawalBody } from '../../contract/withdrawal.ts';
import { configError } from '../../errors.ts';
import { type Intent, labelOf, spendingStates } from '../../ledger/intent.ts';
import type { Runtime } from '../../runtime.ts';
import { bodyText } from '../../withdrawal/body.ts';
import { isSameOrder } from '../../withdrawal/look.ts';
import type { Protocol } from './protocol.ts';

interface Order extends CreateWithdrawalBody {
  readonly idempotencyKey: IdempotencyKey;
}

/** Throws 78 where the label is implied, and another one at this address has paid one of these very orders. */
export async function refuseOtherLabel(
  runtime: Runtime,
  { scope, dependencies: { ledger } }: Protocol,
  orders: readonly Order[],
): Promise<void> {
  if (!(await isImplied(runtime))) return;
  const keys = orders.map(({ idempotencyKey }) => idempotencyKey);
  const paid = (await ledger.underOtherLabels(scope, keys)).filter(({ state }) =>
    spendingStates.includes(state),
  );
  if (paid.length === 0) return;
  const byKey = new Map(orders.map((order) => [order.idempotencyKey, bodyText(order)]));
  for (const one of paid) {
    if (!isSameOrder(one, byKey.get(one.idempotencyKey) ?? '')) continue;
    const own = await ledger.find(scope, one.idempotencyKey);
    if (own === null || !spendingStates.includes(own.state)) throw otherLabel(one, labelOf(scope));
  }
}

async function isImplied({ globals, environment, config }: Runtime): Promise<boolean> {
  const { PIXCTL_PROFILE, PIXCTL_MERCHANT, PIXCTL_BASE_URL } = environment;
  if (globals.profile !== undefined || PIXCTL_PROFILE || PIXCTL_MERCHANT) return false;
  const { keySource } = (await config()).profile();
  const isStored = keySource === 'keychain' || keySource === 'file';
  return globals.baseUrl !== undefined || Boolean(PIXCTL_BASE_URL) || !isStored;
}

function otherLabel({ scope, idempotencyKey, amount, state }: Intent, label: string) {
  const other = labelOf(scope);
  return configError(
    'OTHER_LABEL',
    `the ledger has this same withdrawal (key ${idempotencyKey}, ${formatCents(amount)}, ${state}) under the merchant label ${other} at this address, but this run would use the label ${label}, which nobody has named; nothing was sent`,
    `If it is the same merchant, set PIXCTL_MERCHANT=${other}. If it is another one, set PIXCTL_MERCHANT=${label}.`,
  );
}
