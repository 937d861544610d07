/**
 * The five kinds of PIX key (document: "Expected format of pixKey per pixKeyType"). A key is parsed once,
 * with its check digits, and sent in the one spelling that the document shows. A text that could be two
 * kinds is refused unless the kind is given: a guess here would pay a stranger.
 */
import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj';
import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf';
import { isValidEmail } from '@brazilian-utils/brazilian-utils/is-valid-email';
import { isValidMobilePhone } from '@brazilian-utils/brazilian-utils/is-valid-mobile-phone';
import { emailMax, formats, uuid } from './pix-key-format.ts';
import type { PixKeyType } from './withdrawal.ts';

type ParsedPixKey = { ok: true; key: string; type: PixKeyType } | { ok: false; reason: string; hint: string };

/** Reads a key as a person wrote it; `type` decides when the text alone could be two kinds. */
export function parsePixKey(text: string, type?: PixKeyType): ParsedPixKey {
  const written = text.trim();
  if (written === '') return no('the PIX key is empty', 'give a CPF, CNPJ, e-mail, phone or random key');
  if (!/^[\x20-\x7e]+$/.test(written))
    return no('the PIX key has characters outside plain ASCII', 'type it again instead of pasting it');
  if (type !== undefined) return readers[type](written);
  const found = detect(written);
  return typeof found === 'string' ? readers[found](written) : found;
}

/** The type that the spelling of the text shows, or why it shows none. */
function detect(written: string): PixKeyType | ParsedPixKey {
  if (written.includes('@')) return 'EMAIL';
  if (uuid.test(written)) return 'CHAVE_ALEATORIA';
  if (written.startsWith('+')) return 'TELEFONE';
  if (/^\d{3}\.\d{3}\.\d{3}-?\d{2}$|^\d{9}-\d{2}$/.test(written)) return 'CPF';
  if (/^[A-Z0-9]{2}\.?[A-Z0-9]{3}\.?[A-Z0-9]{3}\/[A-Z0-9]{4}-?\d{2}$/i.test(written)) return 'CNPJ';
  if (/^\(\d{2}\) ?\d{4,5}[- ]?\d{4}$|^\d{2}[ -]\d{4,5}[- ]?\d{4}$/.test(written)) return 'TELEFONE';
  if (/^\d{11}$/.test(written)) return elevenDigits(written);
  if (/^[A-Z0-9]{12}\d{2}$/i.test(written)) return 'CNPJ';
  if (/^[0-9a-f]{32}$/i.test(written))
    return no('this looks like a random key without its hyphens', `write it as ${hyphenated(written)}`);
  if (/^0*55\d{10,11}$/.test(written))
    return no('this looks like a phone number without its +', `write it as +${written.replace(/^0+/, '')}`);
  return no(
    'this is none of the five kinds of PIX key',
    'CPF has 11 digits, CNPJ 14, a phone starts with + and the country, a random key is a UUID',
  );
}

/** Eleven bare digits may be a CPF or a mobile number with its area code. */
function elevenDigits(written: string): PixKeyType | ParsedPixKey {
  const cpf = isValidCpf(written);
  const phone = isValidMobilePhone(written);
  if (cpf && !phone) return 'CPF';
  if (!cpf && !phone) return readers.CPF(written);
  return no(
    cpf
      ? `${written} is a valid CPF and also a valid mobile number`
      : `${written} is not a valid CPF, but could be a mobile number`,
    `write +55${written} for the phone, or say which it is with --type CPF or --type TELEFONE`,
  );
}

const readers: Record<PixKeyType, (written: string) => ParsedPixKey> = {
  CPF: (written) => {
    const digits = written.replace(/[.\-\s]/g, '');
    if (!formats.CPF.test(digits)) return no('a CPF has 11 digits', 'write 12345678909 or 123.456.789-09');
    if (!isValidCpf(digits)) return no('the check digits of this CPF are wrong', 'look for a mistyped digit');
    return { ok: true, key: digits, type: 'CPF' };
  },
  CNPJ: (written) => {
    const plain = written.replace(/[./\-\s]/g, '').toUpperCase();
    if (formats.CNPJ.test(plain))
      return isValidCnpj(plain, { version: 1 })
        ? { ok: true, key: plain, type: 'CNPJ' }
        : no('the check digits of this CNPJ are wrong', 'look for a mistyped digit');
    if (isCnpjWithLetters(plain))
      return no(
        "this CNPJ has letters; the service's document takes a CNPJ of 14 digits only",
        'use another key of the same account: e-mail, phone or random key',
      );
    return no('a CNPJ has 14 digits', 'write 12345678000195 or 12.345.678/0001-95');
  },
  EMAIL: (written) => {
    const address = written.toLowerCase();
    if (address.length > emailMax)
      return no(`an e-mail key has at most ${emailMax} characters`, 'use another key of the same account');
    if (!isValidEmail(address)) return no('this is not an e-mail address', 'write name@example.com');
    return { ok: true, key: address, type: 'EMAIL' };
  },
  TELEFONE: (written) => {
    const hint = 'write + and the country: +5511987654321';
    if (!/^\+?[\d ().-]+$/.test(written)) return no('this is not a phone number', hint);
    const digits = written.replace(/\D/g, '');
    const key = written.startsWith('+') ? `+${digits}` : `+55${digits.replace(/^(?:00)?55(?=\d{11}$)/, '')}`;
    if (!formats.TELEFONE.test(key)) return no('this is not a phone number', hint);
    // We know only Brazil's numbering, and the directory accepts only mobile numbers.
    if (key.startsWith('+55') && !(key.length === 14 && isValidMobilePhone(key)))
      return no('this is not a Brazilian mobile number with its area code', hint);
    return { ok: true, key, type: 'TELEFONE' };
  },
  CHAVE_ALEATORIA: (written) =>
    uuid.test(written)
      ? { ok: true, key: written.toLowerCase(), type: 'CHAVE_ALEATORIA' }
      : no('a random key is a UUID', 'write 123e4567-e12b-12d1-a456-426655440000'),
};

/** Whether it is a valid CNPJ of the kind with letters, issued since 2026; `plain` has no punctuation. */
export const isCnpjWithLetters = (plain: string): boolean =>
  /[a-z]/i.test(plain) && isValidCnpj(plain, { version: 2 });

const hyphenated = (hex: string): string =>
  hex.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const no = (reason: string, hint: string): ParsedPixKey => ({ ok: false, reason, hint });
