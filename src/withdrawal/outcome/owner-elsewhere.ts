/** How to tell of a key of another label or address, in words and for programs. */
import { addressSuffixOf, type Intent, isOpen, labelOf, type Scope } from '../../ledger/intent.ts';

/** A key of another scope that has a listed withdrawal, or may have made it. */
export interface OwnerElsewhere {
  readonly withdrawalId: string;
  /** The merchant label. */
  readonly merchant: string;
  readonly baseUrl: string;
  readonly idempotencyKey: string;
  /**
   * The ledger's. In `SENDING`, `UNKNOWN`, `REFUSED` and `NOT_SENT` that key may have made the withdrawal; otherwise it
   * has it.
   */
  readonly state: string;
}

export const ownerElsewhereOf = (
  withdrawalId: string,
  { scope, idempotencyKey, state }: Intent,
): OwnerElsewhere => ({
  withdrawalId,
  merchant: labelOf(scope),
  baseUrl: addressSuffixOf(scope).trim(),
  idempotencyKey,
  state,
});

/** Says under which label, and at which address if that is another one than that of `than`. */
export function scopeWords(scope: Scope, than: Scope): string {
  const address = addressSuffixOf(scope);
  const at = address === addressSuffixOf(than) ? '' : ` at${address}`;
  return `under the merchant label ${labelOf(scope)}${at}`;
}

/** Says the key as well. */
export const placeWords = ({ scope, idempotencyKey }: Intent, than: Scope): string =>
  `${scopeWords(scope, than)} (key ${idempotencyKey})`;

/** Says why a key that does not have a withdrawal may have made it. */
export function whyItMay(one: Intent): string {
  if (isOpen(one)) return 'whose outcome is not known';
  return one.state === 'REFUSED'
    ? 'whose refusal may be that of a second copy of its request'
    : 'whose earlier refusal may be that of a second copy of its request';
}
