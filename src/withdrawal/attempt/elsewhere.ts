/**
 * Finds the same order under the same key, sent under this label to another address. Both addresses may be names of one
 * service, whose list holds back a second payment for one day only, and may lag behind.
 */
import { isLoopback } from '../../contract/loopback.ts';
import { addressSuffixOf, type Intent, isOpen, labelOf, type Scope } from '../../ledger/intent.ts';
import type { Dependencies } from '../dependencies.ts';
import { bodyText } from '../matching/body.ts';
import { paymentId } from '../matching/reported-twins.ts';
import type { WithdrawRequest } from '../request.ts';

/**
 * Returns the intent that is open there, even if it was begun only after this run (a long batch file takes a while).
 * Otherwise one that was paid there, unless duplicates are allowed and it is among `reported`: what a person had been
 * told of when the run began (`onceReportedTwins`). Otherwise null.
 */
export async function findSentElsewhere(
  { ledger, isSandbox }: Pick<Dependencies, 'ledger' | 'isSandbox'>,
  { scope, idempotencyKey, allowDuplicate = false, ...order }: WithdrawRequest,
  reported: ReadonlySet<string>,
): Promise<Intent | null> {
  const body = bodyText(order);
  const same = (await ledger.inEveryScope(idempotencyKey)).filter(
    (one) => one.request === body && isElsewhere(one.scope, scope),
  );
  const isPaidTwice = (one: Intent) =>
    isPaid(one) && !isRehearsal(one.scope, scope) && !(allowDuplicate && reported.has(paymentId(one)));
  const found = same.find(isOpen) ?? same.find(isPaidTwice);
  if (found === undefined) return null;
  // A sandbox key works on this machine only. Asked last, because finding out what kind of key it is may open a
  // keychain.
  return isHere(scope) && (await isSandbox?.()) ? null : found;
}

const isPaid = ({ state }: Intent): boolean => state === 'ACCEPTED' || state === 'COMPLETED';

const isElsewhere = (other: Scope, own: Scope): boolean =>
  labelOf(other) === labelOf(own) && addressSuffixOf(other) !== addressSuffixOf(own);

/** Trying an order out against a service on this machine must not block the real payment that follows. */
const isRehearsal = (other: Scope, own: Scope): boolean => isHere(other) && !isHere(own);
const isHere = (scope: Scope): boolean =>
  isLoopback(URL.parse(addressSuffixOf(scope).trim())?.hostname ?? '');
