/** What is sent, and which of the service's withdrawals may be it. Pure. */
import { parseJsonText } from '../../api/json.ts';
import { isCnpjWithLetters } from '../../contract/pix-key.ts';
import { hasPixKeyFormat } from '../../contract/pix-key-format.ts';
import {
  type CreateWithdrawalBody,
  isPixKeyType,
  type PixKeyType,
  type Withdrawal,
} from '../../contract/withdrawal.ts';
import type { Intent } from '../../ledger/intent.ts';

/** Returns the canonical text of an order: the same order always gives the same text. */
export const bodyText = ({ amount, pixKey, pixKeyType }: CreateWithdrawalBody): string =>
  JSON.stringify({ amount, pixKey, pixKeyType });

export const bodyOf = (intent: Intent): CreateWithdrawalBody =>
  JSON.parse(intent.request) as CreateWithdrawalBody;

/** Whether amount, key and type are the same. */
export const matches = (one: Withdrawal, body: CreateWithdrawalBody): boolean =>
  one.amount === body.amount && one.pixKeyType === body.pixKeyType && isSameKey(one, body);

/** Compares keys without the punctuation and the capitals that the service may write them with. */
const isSameKey = ({ pixKey }: Withdrawal, body: CreateWithdrawalBody): boolean =>
  typeof pixKey === 'string' &&
  normalizedKey(pixKey, body.pixKeyType) === normalizedKey(body.pixKey, body.pixKeyType);

const normalizedKey = (key: string, type: PixKeyType): string =>
  type === 'EMAIL' || type === 'CHAVE_ALEATORIA' ? key.trim().toLowerCase() : key.replace(/\D/g, '');

/**
 * Whether a withdrawal may be this order's: equal in all that it shows. Its key may be masked or left out, and its type
 * left out: how a list writes keys is not documented (`withdrawal-listed-key`). Its amount may include the fee. This is
 * enough to hold a payment back, never to take a withdrawal for ours.
 */
export const mayMatch = (one: Withdrawal, body: CreateWithdrawalBody): boolean =>
  (one.amount === body.amount || amountWithoutFee(one) === body.amount) &&
  (one.pixKeyType === body.pixKeyType || !isPixKeyType(one.pixKeyType)) &&
  (isSameKey(one, body) || !isWholeKey(one.pixKey ?? '', body.pixKeyType));

/**
 * What was ordered, in cents, if the amount includes the fee. NaN for a fee that is no number or no exact one, such as
 * 1.50, which is kept as it was written (`api/json.ts`): it may be anything, and must stop nobody.
 */
const amountWithoutFee = ({ amount, fee }: Withdrawal): number =>
  typeof fee === 'object' && fee !== null ? Number.NaN : amount - Number(fee);

/** Whether the key is written out in full. One that is, and differs, is somebody else's. */
function isWholeKey(key: string, type: PixKeyType): boolean {
  const written = bare(key, type);
  if (masked.test(written)) return false;
  return hasPixKeyFormat(written, type) || (type === 'CNPJ' && isOtherCnpj(written));
}

/**
 * Whether it is a CNPJ with letters, which this program never orders. An X, or one letter three times, may be a mask
 * whose check digits hold by chance.
 */
const isOtherCnpj = (written: string): boolean =>
  !/x|([a-z])\1\1/i.test(written) && isCnpjWithLetters(written);

/** Matches whatever stands for letters that are not shown. A masked e-mail would still look like an e-mail. */
const masked = /[*#]|[^\x20-\x7e]|[^a-z0-9@]{2}|xxx/i;

const bare = (key: string, type: PixKeyType): string =>
  type === 'EMAIL' || type === 'CHAVE_ALEATORIA' ? key.trim() : key.replace(/[\s().\-/]/g, '');

export type Identified = Withdrawal & { readonly id: string };

/** Groups withdrawals by each amount that may have been ordered. */
export function byPossibleAmount(all: readonly Identified[]): ReadonlyMap<number, readonly Identified[]> {
  const byAmount = new Map<number, Identified[]>();
  for (const one of all)
    for (const amount of new Set([one.amount, amountWithoutFee(one)])) {
      const alike = byAmount.get(amount);
      if (alike === undefined) byAmount.set(amount, [one]);
      else alike.push(one);
    }
  return byAmount;
}

/**
 * Returns the service's last record of a withdrawal, as its intent keeps it, with every number as it was written. A
 * charge's intent has none.
 */
export const recordOf = ({ kind, result }: Intent): Withdrawal | null =>
  kind !== 'withdrawal' || result === null ? null : (parseJsonText(result) as Withdrawal);
