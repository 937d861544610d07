/** Tells of the charge that an idempotency key has at another address of the same merchant: a key counts at one. */
import type { IdempotencyKey } from '../../contract/brand.ts';
import { formatCents } from '../../contract/money.ts';
import { isElsewhere, isHere, isRehearsal } from '../../ledger/address.ts';
import {
  addressSuffixOf,
  type Intent,
  type IntentState,
  scopeOf,
  sendableStates,
} from '../../ledger/intent.ts';
import { rethrowUnsent } from '../../runtime/sending.ts';
import { usesSandboxKey } from '../../runtime/uses-sandbox-key.ts';
import type { Runtime } from '../../runtime.ts';

/**
 * Finds the key's charge at another address; null if there is none, if one of the two was only tried out, or if this
 * run sends nothing, because the key is known here. Sends nothing: throws what the ledger throws, which a create could
 * not do without either.
 */
export const findChargeElsewhere = (runtime: Runtime, key: IdempotencyKey): Promise<Intent | null> =>
  find(runtime, key).catch(rethrowUnsent);

async function find(runtime: Runtime, key: IdempotencyKey): Promise<Intent | null> {
  // With settings that no request can be made with, the run ends before its ledger is opened.
  await runtime.api();
  const own = scopeOf((await runtime.config()).profile());
  const ledger = await runtime.ledger();
  const here = await ledger.find(own, key);
  if (here !== null && !maySend.includes(here.state)) return null;
  for (const scope of await ledger.scopes()) {
    if (!isElsewhere(scope, own) || isRehearsal(scope, own)) continue;
    const intent = await ledger.find(scope, key);
    if (intent?.kind === 'charge' && !sendableStates.includes(intent.state))
      // Asked last, as it may open a keychain.
      return isHere(own) && (await sendsNoMoney(runtime)) ? null : intent;
  }
  return null;
}

/** The states in which a run sends; what was begun is sent too, if no byte of it had left. */
const maySend: readonly IntentState[] = [...sendableStates, 'SENDING'];

/** Whether the key is a sandbox's. A dry run needs none, so it takes one that cannot be read for a real one. */
const sendsNoMoney = (runtime: Runtime): Promise<boolean> =>
  usesSandboxKey(runtime).catch((error: unknown) => {
    if (runtime.globals.dryRun === true) return false;
    throw error;
  });

/**
 * The warning. No more than that, because an order may be charged again on purpose, at the address of another service.
 * `made`: what became of the key here.
 */
export function keyElsewhereWords(found: Intent, made: string): string {
  const { resourceId, amount, idempotencyKey, scope } = found;
  const which = resourceId ?? `a charge of ${formatCents(amount)} whose outcome is not known`;
  return `The ledger also has ${which} under the key ${idempotencyKey}, at${addressSuffixOf(scope)}. A key counts at one address: ${made}. If both are for one order, only one should be paid.`;
}
