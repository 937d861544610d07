/** Reports what holds an order up as a possible duplicate (86). */
import type { Intent } from '../../ledger/intent.ts';
import type { Dependencies } from '../dependencies.ts';
import { type Held, recordReported } from '../matching/reported-twins.ts';
import { paidElsewhereOutcome } from '../outcome/other-address.ts';
import type { Outcome } from '../outcome/outcome.ts';
import { twinsOutcome } from '../outcome/twins.ts';
import type { WithdrawRequest } from '../request.ts';

/**
 * Returns the outcome. Its `recordTold` records that it was reported: only then may `--allow-duplicate` pass it. A run
 * that was given the flag records nothing: the same command, run again, must not pay.
 */
export async function reportHeld(
  dependencies: Dependencies,
  request: WithdrawRequest,
  intent: Intent,
  held: Held,
): Promise<Outcome> {
  const outcome = await heldOutcome(dependencies, request, intent, held);
  const { allowDuplicate = false } = request;
  return allowDuplicate
    ? outcome
    : { ...outcome, recordTold: () => recordReported(dependencies, intent, held) };
}

/** The same outcome, without a record. `intent`: what the ledger has for the key; null if nothing. */
export async function heldOutcome(
  { ledger }: Pick<Dependencies, 'ledger'>,
  request: WithdrawRequest,
  intent: Intent | null,
  { twins, paid }: Held,
): Promise<Outcome> {
  const { scope, idempotencyKey, allowDuplicate = false } = request;
  const elsewhere = paid === null ? null : paidElsewhereOutcome(intent, paid, allowDuplicate);
  // Where that is what the list shows, both addresses are most likely one service.
  const others = twins.filter(({ id }) => id !== paid?.resourceId);
  if (elsewhere !== null && others.length === 0) return elsewhere;
  const listed = await twinsOutcome(ledger, { scope, idempotencyKey, intent, allowDuplicate }, others);
  return elsewhere === null ? listed : bothOutcome(elsewhere, listed, twins);
}

/** The payment at another address comes first: it is this very order's, if both addresses are one service. */
function bothOutcome(elsewhere: Outcome, listed: Outcome, twins: Held['twins']): Outcome {
  const also = (words = '') =>
    listed.correction ? `${words}${words.endsWith('.') ? '' : '.'}${listed.correction}` : words;
  return {
    ...listed,
    message: `${elsewhere.message.replace(/; nothing was sent$/, '')}, and ${listed.message}`,
    candidates: twins,
    elsewhere: [...(elsewhere.elsewhere ?? []), ...(listed.elsewhere ?? [])],
    correction: also(elsewhere.correction),
    hint: also(elsewhere.hint),
  };
}
