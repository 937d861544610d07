/** What is sent, and which of the service's withdrawals it could be. Pure. */
import { isCnpjWithLetters } from '../../contract/pix-key.ts';
import { hasPixKeyFormat } from '../../contract/pix-key-format.ts';
import {
  type CreateWithdrawalBody,
  isPixKeyType,
  type PixKeyType,
  type Withdrawal,
} from '../../contract/withdrawal.ts';
import type { Intent } from '../../ledger/intent.ts';

/** Canonical: the same order of the same fields is the same text. */
export const bodyText = ({ amount, pixKey, pixKeyType }: CreateWithdrawalBody): string =>
  JSON.stringify({ amount, pixKey, pixKeyType });

export const bodyOf = (intent: Intent): CreateWithdrawalBody =>
  JSON.parse(intent.request) as CreateWithdrawalBody;

/** Same amount, key and type. */
export const matches = (one: Withdrawal, body: CreateWithdrawalBody): boolean =>
  one.amount === body.amount && one.pixKeyType === body.pixKeyType && isSameKey(one, body);

/** Keys are compared without the punctuation and the capitals that the service may write them with. */
const isSameKey = ({ pixKey }: Withdrawal, body: CreateWithdrawalBody): boolean =>
  typeof pixKey === 'string' &&
  undressed(pixKey, body.pixKeyType) === undressed(body.pixKey, body.pixKeyType);

const undressed = (key: string, type: PixKeyType): string =>
  type === 'EMAIL' || type === 'CHAVE_ALEATORIA' ? key.trim().toLowerCase() : key.replace(/\D/g, '');

/**
 * Whether it can be of this order: the same, or the same but for what is not written out: a key that is masked or left
 * out, a type that is left out. How a list writes keys is not documented (`withdrawal-listed-key`). Its amount may be
 * what was debited, its fee in it. Enough to hold a payment back, never to take a withdrawal for ours.
 */
export const canBe = (one: Withdrawal, body: CreateWithdrawalBody): boolean =>
  (one.amount === body.amount || one.amount - Number(one.fee) === body.amount) &&
  (one.pixKeyType === body.pixKeyType || !isPixKeyType(one.pixKeyType)) &&
  (isSameKey(one, body) || !isWholeKey(one.pixKey ?? '', body.pixKeyType));

/** One that is whole, and another, is somebody else's. */
function isWholeKey(key: string, type: PixKeyType): boolean {
  const written = bare(key, type);
  if (masked.test(written)) return false;
  return hasPixKeyFormat(written, type) || (type === 'CNPJ' && isOtherCnpj(written));
}

/**
 * One with letters, of which this program orders none. An X, or one letter three times, may be a mask, and the check
 * digits hold by chance.
 */
const isOtherCnpj = (written: string): boolean =>
  !/x|([a-z])\1\1/i.test(written) && isCnpjWithLetters(written);

/** Whatever stands for letters that are not shown; an e-mail would still have the format of one. */
const masked = /[*#]|[^\x20-\x7e]|[^a-z0-9@]{2}|xxx/i;

const bare = (key: string, type: PixKeyType): string =>
  type === 'EMAIL' || type === 'CHAVE_ALEATORIA' ? key.trim() : key.replace(/[\s().\-/]/g, '');

export type Identified = Withdrawal & { readonly id: string };

/** The service's last record of a withdrawal that its intent keeps; a charge's intent has none. */
export const recordOf = ({ kind, result }: Intent): Withdrawal | null =>
  kind !== 'withdrawal' || result === null ? null : (JSON.parse(result) as Withdrawal);
