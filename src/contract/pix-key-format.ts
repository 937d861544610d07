/** How a PIX key is written in the service's spelling (document: "Expected format of pixKey per pixKeyType"). */
import type { PixKeyType } from './withdrawal.ts';

/**
 * Whether a text has the document's format for its type; where that is only "e-mail address" or `+<country><number>`,
 * within the lengths of the PIX directory. Check digits are not checked: the service is known to require only the
 * format, so the sandbox requires no more.
 */
export const hasPixKeyFormat = (key: string, type: PixKeyType): boolean => formats[type].test(key);

/** The longest e-mail address that the PIX directory accepts. */
export const emailMax = 77;
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const formats: Record<PixKeyType, RegExp> = {
  CPF: /^\d{11}$/,
  CNPJ: /^\d{14}$/,
  EMAIL: new RegExp(`^(?=.{3,${emailMax}}$)[^\\s@]+@[^\\s@]+\\.[^\\s@]+$`),
  TELEFONE: /^\+[1-9]\d{6,14}$/,
  CHAVE_ALEATORIA: uuid,
};
