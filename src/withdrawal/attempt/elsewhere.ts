/**
 * Finds the same order under the same key, sent under this label to another address. Both addresses may be names of one
 * service, whose list holds back a second payment for one day only, and may lag behind.
 */
import { isElsewhere, isHere, isRehearsal } from '../../ledger/address.ts';
import { type Intent, isOpen } from '../../ledger/intent.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Dependencies } from '../dependencies.ts';
import { bodyText } from '../matching/body.ts';
import { isCorrectable } from '../matching/correctable.ts';
import { paymentId } from '../matching/reported-twins.ts';
import type { WithdrawRequest } from '../request.ts';

/** What the ledger has of this order, in whatever state. Empty with a sandbox key, with which no money moves. */
export async function readElsewhere(
  { ledger, isSandbox }: Pick<Dependencies, 'ledger' | 'isSandbox'>,
  { scope, idempotencyKey, ...order }: WithdrawRequest,
): Promise<readonly Intent[]> {
  const body = bodyText(order);
  const same = (await ledger.inEveryScope(idempotencyKey)).filter(
    (one) =>
      one.request === body &&
      isElsewhere(one.scope, scope) &&
      (isOpen(one) || !isRehearsal(one.scope, scope)),
  );
  if (same.length === 0) return same;
  // A sandbox key works on this machine only. Asked last, because finding out what kind of key it is may open a
  // keychain.
  return isHere(scope) && (await isSandbox?.()) ? [] : same;
}

export interface Known {
  /** What a person had been told of when the run began (`onceReportedTwins`): `--allow-duplicate` is about no more. */
  readonly reported: ReadonlySet<string>;
  /** What `readElsewhere` returned before the list was read. */
  readonly elsewhere: readonly Intent[];
}

/**
 * Returns the intent that is open there, even if it was begun only after this run (a long batch file takes a while).
 * Otherwise one that was paid there, unless duplicates are allowed and it was reported. Otherwise one that was refused
 * since: the list was read too early to show what its send made, if that was a second copy. Otherwise null.
 */
export async function findSentElsewhere(
  dependencies: Pick<Dependencies, 'ledger' | 'isSandbox'>,
  request: WithdrawRequest,
  { reported, elsewhere }: Known,
): Promise<Intent | null> {
  const isAllowed = (one: Intent) => request.allowDuplicate === true && reported.has(paymentId(one));
  const isKnown = ({ id, version }: Intent) =>
    elsewhere.some((one) => one.id === id && one.version === version);
  const same = await readElsewhere(dependencies, request);
  return (
    same.find(isOpen) ??
    same.find((one) => isPaid(one) && !isAllowed(one)) ??
    same.find((one) => one.state === 'REFUSED' && !isKnown(one)) ??
    null
  );
}

/** Those of which nothing is known to have moved, although they were sent: what the list shows since may be theirs. */
export const filterSentInVain = (elsewhere: readonly Intent[]): readonly Intent[] =>
  elsewhere.filter((one) => isCorrectable(one) && one.fence !== null);

/**
 * Returns the ids that were listed before each of the sends: of all these, and of the last one in this scope (`own`;
 * null: there was none).
 */
export async function listedBeforeAll(
  ledger: Pick<Ledger, 'baseline'>,
  own: ReadonlySet<string> | null,
  sends: readonly Intent[],
): Promise<ReadonlySet<string>> {
  let common = own;
  for (const { scope, fence } of sends) {
    const listed = await ledger.baseline(scope, fence ?? 0);
    common = common === null ? listed : new Set([...common].filter((id) => listed.has(id)));
  }
  return common ?? new Set();
}

const isPaid = ({ state }: Intent): boolean => state === 'ACCEPTED' || state === 'COMPLETED';
