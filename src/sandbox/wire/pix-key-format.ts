/** Checks the format of a withdrawal's key (document: "Expected format of pixKey per pixKeyType"). */
import { hasPixKeyFormat } from '../../contract/pix-key-format.ts';
import type { PixKeyType } from '../../contract/withdrawal.ts';

/**
 * Returns what the key should look like, or null if it has the format. Check digits are not the document's business.
 */
export const pixKeyFormatHint = (key: string, type: PixKeyType): string | null =>
  hasPixKeyFormat(key, type) ? null : formats[type];

const formats: Record<PixKeyType, string> = {
  CPF: '11 digits',
  CNPJ: '14 digits',
  EMAIL: 'an e-mail address',
  TELEFONE: '+<country><number>',
  CHAVE_ALEATORIA: 'a random UUID',
};

/**
 * Whether it has one of the forms that the document does not show to the last character (assumption `pix-key-format`).
 */
export const hasLooseFormat = (key: string, type: PixKeyType): boolean => loose[type]?.test(key) === true;

const loose: Partial<Record<PixKeyType, RegExp>> = { EMAIL: /^[^\s@]+@[^\s@]+$/, TELEFONE: /^\+\d+$/ };

/**
 * Whether the check digits of a well-formed key are right; true for the types that have none. Computed here rather than
 * with the client's library: a start would have to load that, and every command that reads a key would then share one
 * bundle with the sandbox.
 */
export function hasValidCheckDigits(key: string, type: PixKeyType): boolean {
  const longest = weightsUpTo[type];
  if (longest === undefined) return true;
  const isOneDigit = /^(\d)\1*$/.test(key);
  return (
    !isOneDigit &&
    [key.length - 2, key.length - 1].every((at) => Number(key[at]) === digitAt(key, at, longest))
  );
}

/** Weights grow from 2, from right to left, and start over after this one. */
const weightsUpTo: Partial<Record<PixKeyType, number>> = { CPF: 11, CNPJ: 9 };

function digitAt(key: string, at: number, longest: number): number {
  let sum = 0;
  for (let left = 0; left < at; left += 1) sum += Number(key[left]) * (((at - left - 1) % (longest - 1)) + 2);
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}
