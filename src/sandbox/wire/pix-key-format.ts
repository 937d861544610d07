/** The format that a withdrawal's key must have (document: "Expected format of pixKey per pixKeyType"). */
import { hasPixKeyFormat } from '../../contract/pix-key-format.ts';
import type { PixKeyType } from '../../contract/withdrawal.ts';

/** What the key should have been, or null when it has the format. Check digits are not the document's business. */
export const pixKeyFormatHint = (key: string, type: PixKeyType): string | null =>
  hasPixKeyFormat(key, type) ? null : formats[type];

const formats: Record<PixKeyType, string> = {
  CPF: '11 digits',
  CNPJ: '14 digits',
  EMAIL: 'an e-mail address',
  TELEFONE: '+<country><number>',
  CHAVE_ALEATORIA: 'a random UUID',
};

/** Of the kinds whose form the document does not show to the last character (assumption `pix-key-format`). */
export const hasLooseFormat = (key: string, type: PixKeyType): boolean => loose[type]?.test(key) === true;

const loose: Partial<Record<PixKeyType, RegExp>> = { EMAIL: /^[^\s@]+@[^\s@]+$/, TELEFONE: /^\+\d+$/ };
