/** Check digits of the two kinds of PIX key that have them. The document does not ask for any. */
import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj';
import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf';
import type { PixKeyType } from './withdrawal.ts';

/** Of a key in the document's format. True of the kinds that have none. */
export function areCheckDigitsRight(key: string, type: PixKeyType): boolean {
  if (type === 'CPF') return isValidCpf(key);
  return type !== 'CNPJ' || isValidCnpj(key, { version: 1 });
}
