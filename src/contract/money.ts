/**
 * Money is whole cents, never a float (document: "Conventions", 3). In an amount that a person writes (`pixctl help
 * amounts`), an integer is cents, exactly two decimals are reais, and anything else is refused along with its possible
 * readings: a wrong guess would be a wrong payment.
 */
import type { Cents } from './brand.ts';

type ParsedAmount = { ok: true; cents: Cents } | { ok: false; reason: string };

/** Reads an amount as a person writes it, without checking bounds: see `findBoundsProblem`. */
export function parseAmount(text: string): ParsedAmount {
  const written = text.trim();
  const currency = /^R\$[ \u00a0\u202f]*/i.exec(written)?.[0] ?? '';
  const number = written.slice(currency.length);
  if (number === '') return refuse('an amount is missing');
  if (/^[-\u2212(]|-$/.test(number) || /^-/.test(written)) return refuse(`${quote(text)} is negative`);
  if (/^\d+$/.test(number)) return currency === '' ? digits(number) : reaisOrCents(text, number);
  const decimal = /^(\d+)[.,](\d{2})$/.exec(number) ?? grouped(number);
  if (decimal) return digits(`${decimal[1]?.replace(/[.,]/g, '')}${decimal[2]}`);
  return refuse(whyNot(text, number));
}

/** `R$ 1.050,00`, with an ordinary space; `-R$ 10,50` below zero. Throws RangeError if it is not whole cents. */
export function formatCents(cents: number): string {
  const [reais = '', decimals = ''] = decimalOf(Math.abs(cents)).split('.');
  return `${cents < 0 ? '-' : ''}R$ ${reais.replace(/\B(?=(\d{3})+$)/g, '.')},${decimals}`;
}

/** `1050.00`: reais with two decimals and no grouping, as BR Code and spreadsheets want it. */
export function decimalOf(cents: number, separator: '.' | ',' = '.'): string {
  const whole = toCents(cents);
  const text = Math.abs(whole).toString().padStart(3, '0');
  return `${whole < 0 ? '-' : ''}${text.slice(0, -2)}${separator}${text.slice(-2)}`;
}

/** Brands a number of whole cents. Throws RangeError on fractions and on numbers too large to be exact. */
export function toCents(value: number): Cents {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number of cents`);
  return value as Cents;
}

/**
 * What is wrong with an amount's size, or null. The bounds, in cents, are inclusive. `written` is what the person
 * typed: somebody who typed `10` and got ten cents may have meant reais.
 */
export function findBoundsProblem(
  cents: number,
  bounds: { min: number; max: number },
  written = '',
): string | null {
  if (cents < bounds.min) {
    const small = `${formatCents(cents)} is below the minimum of ${formatCents(bounds.min)}`;
    const reais = cents * 100;
    const isReais = /^\s*\d+\s*$/.test(written) && reais >= bounds.min && reais <= bounds.max;
    return isReais
      ? `${small}: a whole number is cents; for ${formatCents(reais)} write ${decimalOf(reais, ',')}`
      : small;
  }
  if (cents > bounds.max) return `${formatCents(cents)} is above the maximum of ${formatCents(bounds.max)}`;
  return null;
}

/** `1.050,00` and `1,050.00`: both separators, groups of three, two decimals. */
const grouped = (number: string): RegExpExecArray | null =>
  /^([1-9]\d{0,2}(?:\.\d{3})+),(\d{2})$/.exec(number) ?? /^([1-9]\d{0,2}(?:,\d{3})+)\.(\d{2})$/.exec(number);

/** Fifteen digits always fit a number exactly; the service's own maximum has nine. */
const digits = (text: string): ParsedAmount => {
  const significant = text.replace(/^0+(?=\d)/, '');
  if (significant.length > 15) return refuse('the amount is larger than this program can count');
  return { ok: true, cents: toCents(Number(significant)) };
};

const refuse = (reason: string): ParsedAmount => ({ ok: false, reason });
const quote = (text: string): string => `"${text.slice(0, 40)}"`;

const reading = (cents: string, write: string): string => {
  const parsed = digits(cents);
  return parsed.ok ? `${formatCents(parsed.cents)} (write ${write})` : 'more than this program can count';
};

const asReais = (number: string): string => reading(`${number}00`, `${trimZeros(number)},00`);
const asCents = (number: string): string => reading(number, trimZeros(number));
const trimZeros = (number: string): string => number.replace(/^0+(?=\d)/, '');

const reaisOrCents = (text: string, number: string): ParsedAmount =>
  refuse(`${quote(text)} could mean ${asReais(number)} or ${asCents(number)}`);

/** Explains an amount that has more than one reading, or none. */
function whyNot(text: string, number: string): string {
  const said = quote(text);
  const one = /^(\d+)[.,](\d)$/.exec(number);
  if (one) {
    const [, whole = '', tenth = ''] = one;
    return `${said} could mean ${reading(`${whole}${tenth}0`, `${trimZeros(whole)},${tenth}0`)} or ${asCents(whole + tenth)}`;
  }
  const three = /^(\d{1,3})[.,](\d{2})(\d)$/.exec(number);
  if (three) {
    const [, whole = '', two = '', last = ''] = three;
    const fraction =
      last === '0'
        ? reading(`${whole}${two}`, `${trimZeros(whole)},${two}`)
        : `a fraction of a cent, which cannot be sent`;
    return `${said} could mean ${asReais(whole + two + last)} or ${fraction}`;
  }
  if (/^\d{1,3}(?:\.\d{3})+$|^\d{1,3}(?:,\d{3})+$/.test(number)) {
    const plain = number.replace(/[.,]/g, '');
    return `${said} could mean ${asReais(plain)} or ${asCents(plain)}`;
  }
  if (/^R[\d.,]/i.test(number))
    return `${said} has an R without its $: a shell reads the $1 in R$10,50 as a variable; write 10,50`;
  if (/^\d+(?:[.,]\d+)?e[+-]?\d+$/i.test(number)) return `${said} has an exponent; write the amount out`;
  if (/[^\x20-\x7e]/.test(number)) return `${said} has characters other than the digits 0 to 9`;
  return `${said} is not an amount: write cents (1050) or reais with two decimals (10,50)`;
}
