/** Warns of the charge that an idempotency key has at another address of the same merchant: a key counts at one. */
import type { IdempotencyKey } from '../../contract/brand.ts';
import { isLoopback } from '../../contract/loopback.ts';
import { formatCents } from '../../contract/money.ts';
import { addressSuffixOf, type Intent, labelOf, scopeOf, sendableStates } from '../../ledger/intent.ts';
import type { Runtime } from '../../runtime.ts';

/**
 * Warns only, because an order may be charged again on purpose, at the address of another service. `made`: what became
 * of the key here, for the sentence. A ledger that cannot be read says nothing: the charge of this run exists.
 */
export async function warnOfKeyElsewhere(runtime: Runtime, key: IdempotencyKey, made: string): Promise<void> {
  const found = await findElsewhere(runtime, key).catch(() => null);
  if (found === null) return;
  const which = found.resourceId ?? `a charge of ${formatCents(found.amount)} whose outcome is not known`;
  (await runtime.output()).warn(
    `The ledger also has ${which} under the key ${key}, at${addressSuffixOf(found.scope)}. A key counts at one address: ${made}. If both are for one order, only one should be paid.`,
  );
}

/** What was tried out on this machine is no second charge. */
async function findElsewhere(runtime: Runtime, key: IdempotencyKey): Promise<Intent | null> {
  const own = scopeOf((await runtime.config()).profile());
  const ledger = await runtime.ledger();
  for (const scope of await ledger.scopes()) {
    if (scope === own || labelOf(scope) !== labelOf(own)) continue;
    if (isLoopback(URL.parse(addressSuffixOf(scope).trim())?.hostname ?? '')) continue;
    const intent = await ledger.find(scope, key);
    if (intent?.kind === 'charge' && !sendableStates.includes(intent.state)) return intent;
  }
  return null;
}
