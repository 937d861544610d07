/** What is sent, and which of the service's withdrawals it could be. Pure. */
import type { CreateWithdrawalBody, PixKeyType, Withdrawal } from '../contract/withdrawal.ts';
import type { Intent } from '../ledger/intent.ts';

/** Canonical: the same order of the same fields is the same text. */
export const bodyText = ({ amount, pixKey, pixKeyType }: CreateWithdrawalBody): string =>
  JSON.stringify({ amount, pixKey, pixKeyType });

export const bodyOf = (intent: Intent): CreateWithdrawalBody =>
  JSON.parse(intent.request) as CreateWithdrawalBody;

/** Same amount, key and type; a key is compared without the dress that the service may give it. */
export const matches = (one: Withdrawal, body: CreateWithdrawalBody): boolean =>
  one.amount === body.amount &&
  one.pixKeyType === body.pixKeyType &&
  undressed(one.pixKey, body.pixKeyType) === undressed(body.pixKey, body.pixKeyType);

const undressed = (key: string, type: PixKeyType): string =>
  type === 'EMAIL' || type === 'CHAVE_ALEATORIA' ? key.trim().toLowerCase() : key.replace(/\D/g, '');

export type Identified = Withdrawal & { readonly id: string };

/** The service's last record of a withdrawal that its intent keeps; a charge's intent has none. */
export const recordOf = ({ kind, result }: Intent): Withdrawal | null =>
  kind !== 'withdrawal' || result === null ? null : (JSON.parse(result) as Withdrawal);
