/**
 * Guards against a merchant label that nobody named. It is the current profile's or, with an address from the
 * environment that is not that profile's, `default`. So it changes with a login or `profile use`, which the run knows
 * nothing about, and under the new label every earlier key would be sent again, an unknown outcome would block nothing,
 * and the daily limit would start over.
 */
import type { IdempotencyKey } from '../../contract/brand.ts';
import { formatCents } from '../../contract/money.ts';
import type { CreateWithdrawalBody } from '../../contract/withdrawal.ts';
import { configError } from '../../errors.ts';
import {
  addressSuffixOf,
  type Intent,
  isOpen,
  labelOf,
  type Scope,
  sendableStates,
  spendingStates,
} from '../../ledger/intent.ts';
import type { Runtime } from '../../runtime.ts';
import type { TimingDependencies } from '../../sending/send-timing.ts';
import { isBeingSent } from '../../sending/still-sending.ts';
import { bodyText } from '../../withdrawal/matching/body.ts';
import { dayStart } from '../../withdrawal/policy/policy.ts';
import { readPolicy } from '../../withdrawal/policy/settings.ts';
import { isSameOrder } from '../../withdrawal/settling/check-ledger.ts';

/** Enough of the protocol to look into the ledger. */
export interface Looking {
  readonly scope: Scope;
  readonly dependencies: TimingDependencies;
}

export interface Order extends CreateWithdrawalBody {
  readonly idempotencyKey: IdempotencyKey;
}

/**
 * Throws 78 if nobody named the label and another label at this address has paid one of these very orders. If address
 * or key come from the environment, it also throws if another label has an unknown outcome, or has spent so much today
 * that these orders would exceed the daily limit together with it. With its own address and key, the current profile is
 * most likely another merchant, whom the last two do not concern.
 */
export async function refuseOtherLabel(
  runtime: Runtime,
  protocol: Looking,
  orders: readonly Order[],
): Promise<void> {
  const origin = await originOfLabel(runtime);
  if (origin === 'named') return;
  const {
    scope,
    dependencies: { ledger, clock },
  } = protocol;
  const { maxPerDay, timeZone } = readPolicy(await runtime.config());
  const today = maxPerDay === null ? Number.MAX_SAFE_INTEGER : dayStart(clock.now(), timeZone);
  const byKey = new Map(orders.map((order) => [order.idempotencyKey, bodyText(order)]));
  const paid = (await ledger.inOtherScopes(scope, { keys: [...byKey.keys()] })).filter(
    (one) =>
      addressSuffixOf(one.scope) === addressSuffixOf(scope) &&
      spendingStates.includes(one.state) &&
      isSameOrder(one, byKey.get(one.idempotencyKey) ?? ''),
  );
  const spending = origin === 'current' ? [] : await ledger.spendingUnderOtherLabels(scope, today);
  if (paid.length + spending.length === 0) return;

  const sendable = await findSendable(protocol, orders);
  const keys = new Set(sendable.map(({ idempotencyKey }) => idempotencyKey));
  const again = paid.find(({ idempotencyKey }) => keys.has(idempotencyKey));
  if (again !== undefined)
    throw otherLabel(again, scope, `the ledger has this same withdrawal (${describeIntent(again)})`);
  const [last] = spending;
  if (sendable.length === 0 || last === undefined) return;
  const open = await findStillOpen(protocol, spending);
  if (open !== undefined)
    throw otherLabel(
      open,
      scope,
      `the ledger has a withdrawal whose outcome is not known (${describeIntent(open)})`,
    );
  const elsewhere = sum(spending);
  if (maxPerDay === null || (await ledger.spentSince(scope, today)) + elsewhere + sum(sendable) <= maxPerDay)
    return;
  const spent = `the daily limit (${formatCents(maxPerDay)}) would be exceeded together with ${formatCents(elsewhere)} paid out today`;
  throw otherLabel(last, scope, spent);
}

/**
 * Returns one whose outcome nobody is waiting for. What a running process is sending right now will be known in a
 * moment.
 */
async function findStillOpen(
  { dependencies }: Looking,
  spending: readonly Intent[],
): Promise<Intent | undefined> {
  for (const one of spending)
    if (isOpen(one) && !(one.state === 'SENDING' && (await isBeingSent(dependencies, one)))) return one;
  return undefined;
}

/** Returns those that this run may send. The others are answered from the ledger, or searched for. */
export async function findSendable(
  { scope, dependencies: { ledger } }: Looking,
  orders: readonly Order[],
): Promise<readonly Order[]> {
  const sendable: Order[] = [];
  for (const order of orders) {
    const own = await ledger.find(scope, order.idempotencyKey);
    if (own === null || sendableStates.includes(own.state)) sendable.push(order);
  }
  return sendable;
}

const sum = (orders: readonly { readonly amount: number }[]): number =>
  orders.reduce((cents, { amount }) => cents + amount, 0);

/** Whether a flag or the environment says whose money it is. */
export const isLabelNamed = async (runtime: Runtime): Promise<boolean> =>
  (await originOfLabel(runtime)) === 'named';

/** `current`: the current profile is used as a whole, with its own address and key. */
async function originOfLabel({
  globals,
  environment,
  config,
}: Runtime): Promise<'named' | 'current' | 'implied'> {
  const { PIXCTL_PROFILE, PIXCTL_MERCHANT, PIXCTL_BASE_URL } = environment;
  if (globals.profile !== undefined || PIXCTL_PROFILE || PIXCTL_MERCHANT) return 'named';
  const { keySource } = (await config()).profile();
  const isStored = keySource === 'keychain' || keySource === 'file';
  return globals.baseUrl === undefined && !PIXCTL_BASE_URL && isStored ? 'current' : 'implied';
}

const describeIntent = ({ idempotencyKey, amount, state }: Intent): string =>
  `key ${idempotencyKey}, ${formatCents(amount)}, ${state}`;

function otherLabel({ scope }: Intent, own: Scope, what: string) {
  const [other, label] = [labelOf(scope), labelOf(own)];
  return configError(
    'OTHER_LABEL',
    `${what} under the merchant label ${other} at this address, but this run would use the label ${label}, which was not given explicitly; nothing was sent`,
    `If it is the same merchant, set PIXCTL_MERCHANT=${other}. If it is another one, set PIXCTL_MERCHANT=${label}.`,
  );
}
