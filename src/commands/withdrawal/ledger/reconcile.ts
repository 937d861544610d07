/** `pixctl withdrawal reconcile [key]`: settles unknown outcomes by what the service lists. Sends nothing. */
import { parseKey } from '../../../flags/idempotency-key.ts';
import type { Runtime } from '../../../runtime.ts';
import { noSuchKeyError } from '../../../sending/no-such-key.ts';
import { reconcile as reconcileIntent } from '../../../withdrawal/reconcile.ts';
import { openProtocol } from '../protocol.ts';
import { orderOf, receiptView } from '../receipt.ts';
import { showOutcome } from '../show-outcome.ts';

export async function reconcile(runtime: Runtime, keyText: string | undefined): Promise<void> {
  const output = await runtime.output(receiptView);
  const key = keyText === undefined ? undefined : parseKey('<idempotency key>', keyText);
  const { scope, dependencies } = await openProtocol(runtime);
  const outcome = await reconcileIntent(dependencies, {
    scope,
    ...(key === undefined ? {} : { idempotencyKey: key }),
  });
  if (outcome.exit === 'notFound' && key !== undefined)
    throw noSuchKeyError('withdrawal', key, outcome.intent);
  if (outcome.intent === null && outcome.exit === 'ok') return output.note(outcome.message);
  const order =
    outcome.intent === null
      ? { idempotencyKey: key ?? null, amount: null, pixKey: null, pixKeyType: null }
      : orderOf(outcome.intent);
  await showOutcome(runtime, outcome, order);
}
