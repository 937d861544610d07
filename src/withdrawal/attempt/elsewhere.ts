/**
 * The same order under the same key, sent by this label at another address. Both addresses may be names of one service,
 * whose list holds up a second payment for a day only, and may be behind.
 */
import { isLoopback } from '../../contract/loopback.ts';
import { addressIn, type Intent, isOpen, labelOf, type Scope } from '../../ledger/intent.ts';
import type { Dependencies } from '../dependencies.ts';
import { bodyText } from '../matching/body.ts';
import type { WithdrawRequest } from '../request.ts';

/**
 * One that is open there, also since this run began, as that of a long file may; otherwise one that was paid there,
 * unless duplicates are allowed; or null.
 */
export async function sentElsewhere(
  { ledger, isSandbox }: Pick<Dependencies, 'ledger' | 'isSandbox'>,
  { scope, idempotencyKey, allowDuplicate, ...order }: WithdrawRequest,
): Promise<Intent | null> {
  const body = bodyText(order);
  const same = (await ledger.inEveryScope(idempotencyKey)).filter(
    (one) => one.request === body && isElsewhere(one.scope, scope),
  );
  const isPaidTwice = (one: Intent) => isPaid(one) && !isRehearsal(one.scope, scope);
  const found = same.find(isOpen) ?? (allowDuplicate === true ? undefined : same.find(isPaidTwice));
  if (found === undefined) return null;
  // The key of a sandbox goes to no other machine, and asking which it is may ask a keychain.
  return isHere(scope) && (await isSandbox?.()) ? null : found;
}

const isPaid = ({ state }: Intent): boolean => state === 'ACCEPTED' || state === 'COMPLETED';

const isElsewhere = (other: Scope, own: Scope): boolean =>
  labelOf(other) === labelOf(own) && addressIn(other) !== addressIn(own);

/** What was tried against a service of this machine is then sent in earnest. */
const isRehearsal = (other: Scope, own: Scope): boolean => isHere(other) && !isHere(own);
const isHere = (scope: Scope): boolean => isLoopback(URL.parse(addressIn(scope).trim())?.hostname ?? '');
