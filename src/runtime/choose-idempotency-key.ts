/** Asks for an idempotency key of the ledger. */
import { type IntentKind, type IntentState, scopeOf } from '../ledger/intent.ts';
import type { Runtime } from '../runtime.ts';
import { formatAmount } from '../terminal/columns.ts';
import { choose, maxChoices } from './choose.ts';

/** Offers the newest of the current scope. */
export async function chooseIdempotencyKey(
  runtime: Runtime,
  kind: IntentKind,
  states?: readonly IntentState[],
) {
  return choose(runtime, {
    which: 'Which idempotency key?',
    typed: 'Idempotency key:',
    async loadChoices() {
      const scope = scopeOf((await runtime.config()).profile());
      const filter = { kind, limit: maxChoices, ...(states === undefined ? {} : { states }) };
      const intents = await (await runtime.ledger()).list(scope, filter);
      return intents.map(({ idempotencyKey, state, amount }) => ({
        value: idempotencyKey,
        name: `${idempotencyKey}  ${state}  ${formatAmount(amount)}`,
      }));
    },
  });
}
