/**
 * The same order under the same key, paid by this label at another address. Both addresses may be names of one service,
 * and its list holds up a second payment for a day only.
 */
import { isLoopback } from '../../contract/loopback.ts';
import { formatCents } from '../../contract/money.ts';
import { addressIn, type Intent, labelOf, type Scope } from '../../ledger/intent.ts';
import type { Dependencies } from '../dependencies.ts';
import { bodyText } from '../matching/body.ts';
import type { Outcome } from '../outcome/outcome.ts';
import { outcome } from '../outcome/say.ts';
import type { WithdrawRequest } from '../request.ts';

/** 86, or null. `known`: what the ledger has of the key at this address. */
export async function paidElsewhere(
  { ledger, isSandbox }: Pick<Dependencies, 'ledger' | 'isSandbox'>,
  { scope, idempotencyKey, ...order }: WithdrawRequest,
  known: Intent | null,
): Promise<Outcome | null> {
  const body = bodyText(order);
  const paid = (await ledger.inEveryScope(idempotencyKey)).find(
    (one) =>
      isPaid(one) && one.request === body && isElsewhere(one.scope, scope) && !isRehearsal(one.scope, scope),
  );
  if (paid === undefined || (await isSandbox?.())) return null;
  const { amount, resourceId, state } = paid;
  return outcome(
    'duplicate',
    'POSSIBLE_DUPLICATE',
    `this same withdrawal (key ${idempotencyKey}, ${formatCents(amount)}) was ${state === 'COMPLETED' ? 'paid' : 'accepted'} at another address, ${addressIn(paid.scope).trim()} (${resourceId}); nothing was sent`,
    {
      intent: known,
      correction: ` ${isDone}`,
      hint: `${isDone} If they are two, or it is to be paid again, confirm with --allow-duplicate.`,
    },
  );
}

const isDone = 'If both addresses are one service, nothing is left to do.';

const isPaid = ({ state }: Intent): boolean => state === 'ACCEPTED' || state === 'COMPLETED';

const isElsewhere = (other: Scope, own: Scope): boolean =>
  labelOf(other) === labelOf(own) && addressIn(other) !== addressIn(own);

/** What was tried against a service of this machine is then sent in earnest. */
const isRehearsal = (other: Scope, own: Scope): boolean => isHere(other) && !isHere(own);
const isHere = (scope: Scope): boolean => isLoopback(URL.parse(addressIn(scope).trim())?.hostname ?? '');
