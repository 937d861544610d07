/** `pixctl withdrawal status <key>`: shows what the ledger knows, after one look at what the service has. */
import { parseKey } from '../../../flags/idempotency-key.ts';
import type { Runtime } from '../../../runtime.ts';
import { requireKind } from '../../../sending/no-such-key.ts';
import { currentOutcome } from '../../../withdrawal/follow.ts';
import { openProtocol } from '../protocol.ts';
import { orderOf, receiptView } from '../receipt.ts';
import { showOutcome } from '../show-outcome.ts';

/** Exits with the code that a rerun of `withdraw` would end with if it sent nothing. */
export async function status(runtime: Runtime, keyText: string): Promise<void> {
  await runtime.output(receiptView);
  const idempotencyKey = parseKey('<idempotency key>', keyText);
  const { scope, dependencies } = await openProtocol(runtime);
  const { ledger } = dependencies;
  const known = requireKind('withdrawal', idempotencyKey, await ledger.find(scope, idempotencyKey));
  const outcome = await currentOutcome(dependencies, known);
  const events = await ledger.events(outcome.intent ?? known);
  await showOutcome(runtime, outcome, orderOf(outcome.intent ?? known), { events });
}
