/** Reports what holds an order up as a possible duplicate (86), and that a person was told of it. */
import type { Intent } from '../../ledger/intent.ts';
import type { Dependencies } from '../dependencies.ts';
import { bodyText } from '../matching/body.ts';
import { type Held, recordReported } from '../matching/reported-twins.ts';
import { paidElsewhereOutcome } from '../outcome/other-address.ts';
import type { Outcome } from '../outcome/outcome.ts';
import { twinsOutcome } from '../outcome/twins.ts';
import type { WithdrawRequest } from '../request.ts';

/**
 * Returns the outcome, and records that it was reported: only then may `--allow-duplicate` pass it. A run that was
 * given the flag records nothing: the same command, run again, must not pay. Null: somebody else changed the intent.
 */
export async function reportHeld(
  dependencies: Dependencies,
  request: WithdrawRequest,
  intent: Intent,
  held: Held,
): Promise<Outcome | null> {
  const { allowDuplicate = false } = request;
  const reported = allowDuplicate ? intent : await recordReported(dependencies, intent, held);
  return reported === null ? null : heldOutcome(dependencies, request, reported, held);
}

/** The same outcome, without a record. `intent`: what the ledger has for the key; null if nothing. */
export async function heldOutcome(
  { ledger }: Pick<Dependencies, 'ledger'>,
  request: WithdrawRequest,
  intent: Intent | null,
  { twins, paid }: Held,
): Promise<Outcome> {
  const { scope, allowDuplicate = false } = request;
  const elsewhere = paid === null ? null : paidElsewhereOutcome(intent, paid, allowDuplicate);
  // Where that is what the list shows, both addresses are most likely one service.
  if (elsewhere !== null && twins.every(({ id }) => id === paid?.resourceId)) return elsewhere;
  const listed = await twinsOutcome(
    ledger,
    { scope, body: bodyText(request), intent, allowDuplicate },
    twins,
  );
  return elsewhere === null
    ? listed
    : {
        ...listed,
        message: `${elsewhere.message.replace(/; nothing was sent$/, '')}, and ${listed.message}`,
      };
}
