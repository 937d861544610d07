/** How a record of a withdrawal is written: the document does not show it for the list, nor for each answer. */
import { maskPixKey } from '../../../src/contract/pix-key-mask.ts';
import type { CreateWithdrawalBody, Withdrawal } from '../../../src/contract/withdrawal.ts';
import type { Random } from './random.ts';
import type { Ways } from './ways.ts';

type Order = Pick<CreateWithdrawalBody, 'pixKey' | 'pixKeyType'>;

export interface Writing {
  /** `amount` is what is debited. */
  readonly withFee: boolean;
  readonly key: (order: Order) => string | null | undefined;
  readonly type: (order: Order) => string | null | undefined;
}

export const inFull: Writing = {
  withFee: false,
  key: ({ pixKey }) => pixKey,
  type: ({ pixKeyType }) => pixKeyType,
};

/** `one` as the service knows it. */
export function write<T extends Withdrawal & Order & { readonly fee: number }>(
  one: T,
  writing: Writing,
): Omit<T, keyof Order> & Withdrawal {
  if (writing === inFull) return one;
  const { withFee, key, type } = writing;
  const amount = withFee ? one.amount + one.fee : one.amount;
  return { ...one, amount, pixKey: key(one), pixKeyType: type(one) };
}

/** The same in each place, or in some. */
export function writings(random: Random): Pick<Ways, 'list' | 'answer' | 'get'> {
  const other: Writing = {
    withFee: random.chance(0.4),
    key: random.pick([inFull.key, inFull.key, ...keys]),
    type: random.pick([inFull.type, inFull.type, inFull.type, inFull.type, ...types]),
  };
  const place = () => (random.chance(0.5) ? other : inFull);
  return random.chance(0.4)
    ? { list: other, answer: inFull, get: random.chance(0.5) ? other : inFull }
    : { list: place(), answer: place(), get: place() };
}

/** All of a key but its first letter and its end. */
const hidden = /(?<=^.)(?:[^@]+(?=@)|.*(?=....$))/;

const keys: readonly Writing['key'][] = [
  ({ pixKey, pixKeyType }) => maskPixKey(pixKey, pixKeyType),
  ({ pixKey }) => pixKey.replace(hidden, '\u25cf\u25cf\u25cf'),
  ({ pixKey }) => pixKey.replace(hidden, '___'),
  ({ pixKey }) => pixKey.replace(hidden, '---'),
  ({ pixKey }) => `***${pixKey.slice(-4)}`,
  ({ pixKey }) => pixKey.toUpperCase(),
  ({ pixKey, pixKeyType }) => formatted[pixKeyType](pixKey),
  ({ pixKey, pixKeyType }) => (pixKeyType === 'TELEFONE' ? pixKey.replace('+55', '') : ` ${pixKey} `),
  () => '',
  () => null,
  () => undefined,
];

const formatted: Record<Order['pixKeyType'], (key: string) => string> = {
  CPF: (key) => key.replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, '$1.$2.$3-$4'),
  CNPJ: (key) => key.replace(/(\d{2})(\d{3})(\d{3})(\d{4})(\d{2})/, '$1.$2.$3/$4-$5'),
  TELEFONE: (key) => key.replace(/\+55(\d{2})(\d{5})(\d{4})/, '($1) $2-$3'),
  EMAIL: (key) => key.replace(/^./, (first) => first.toUpperCase()),
  CHAVE_ALEATORIA: (key) => key.replaceAll('-', ''),
};

const types: readonly Writing['type'][] = [
  () => undefined,
  () => null,
  () => '',
  ({ pixKeyType }) => pixKeyType.toLowerCase(),
  ({ pixKeyType }) => ({ TELEFONE: 'PHONE', CHAVE_ALEATORIA: 'EVP' })[pixKeyType as string] ?? 'OTHER',
];
