/** `pixctl withdrawal status <key>`: what the ledger knows, after one look at what the service has of it. */
import { parseKey } from '../../flags/idempotency-key.ts';
import type { Runtime } from '../../runtime.ts';
import { follow } from '../../withdrawal/follow.ts';
import { movedBy } from '../../withdrawal/moved.ts';
import type { Outcome } from '../../withdrawal/outcome.ts';
import { noSuchKey } from './no-such-key.ts';
import { openProtocol } from './protocol.ts';
import { orderOf, receiptView } from './receipt.ts';
import { showOutcome } from './show-outcome.ts';

/** Ends with the code that a rerun of `withdraw` would end with if it sent nothing. */
export async function status(runtime: Runtime, keyText: string): Promise<void> {
  (await runtime.output()).check(receiptView);
  const idempotencyKey = parseKey('<idempotency key>', keyText);
  const { scope, dependencies } = await openProtocol(runtime);
  const { ledger } = dependencies;
  const known = await ledger.find(scope, idempotencyKey);
  if (known === null || known.kind !== 'withdrawal') throw noSuchKey(idempotencyKey);
  const outcome = await follow(dependencies, { scope, idempotencyKey, timeoutMs: 0 });
  const events = await ledger.events(outcome.intent ?? known);
  await showOutcome(runtime, unwaited(outcome), orderOf(outcome.intent ?? known), { events });
}

/** Nobody waited: that it is accepted is all that was asked. A key that may not read it is another matter. */
function unwaited(outcome: Outcome): Outcome {
  if (outcome.exit !== 'pending') return outcome;
  if (outcome.code !== 'PENDING') return { ...outcome, exit: 'auth' };
  return movedBy(outcome) === 'on-its-way' ? { ...outcome, exit: 'ok', code: 'ACCEPTED' } : outcome;
}
