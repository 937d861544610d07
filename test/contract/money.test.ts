import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalOf, findBoundsProblem, formatCents, parseAmount, toCents } from '../../src/contract/money.ts';

describe('parseAmount', () => {
  it.each([
    ['1050', 1050],
    ['0', 0],
    ['0100', 100],
    ['00000000000000001050', 1050],
    ['10,50', 1050],
    ['10.50', 1050],
    ['0,50', 50],
    ['R$ 10,50', 1050],
    ['R$10,50', 1050],
    ['r$ 10,50', 1050],
    ['R$\u00a010,50', 1050],
    ['R$ \u00a0  10,50', 1050],
    ['  10,50\n', 1050],
    ['1.050,00', 105_000],
    ['1,050.00', 105_000],
    ['R$ 1.234.567,89', 123_456_789],
    ['1000000,00', 100_000_000],
    ['999999999999999', 999_999_999_999_999],
  ])('reads %j as %i cents', (text, cents) => {
    expect(parseAmount(text)).toEqual({ ok: true, cents });
  });

  it('takes no time over a cell of nothing but line breaks, which a batch file may hold', () => {
    const begun = performance.now();
    expect(parseAmount(`1${'\n'.repeat(60_000)}x`).ok).toBe(false);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });

  it.each([
    ['10,5', '"10,5" could mean R$ 10,50 (write 10,50) or R$ 1,05 (write 105)'],
    ['1.050', '"1.050" could mean R$ 1.050,00 (write 1050,00) or R$ 1,05 (write 1,05)'],
    ['1,050', '"1,050" could mean R$ 1.050,00 (write 1050,00) or R$ 1,05 (write 1,05)'],
    ['1.055', '"1.055" could mean R$ 1.055,00 (write 1055,00) or a fraction of a cent, which cannot be sent'],
    [
      '1.050.000',
      '"1.050.000" could mean R$ 1.050.000,00 (write 1050000,00) or R$ 10.500,00 (write 1050000)',
    ],
    ['R$ 10', '"R$ 10" could mean R$ 10,00 (write 10,00) or R$ 0,10 (write 10)'],
    ['-10,50', '"-10,50" is negative'],
    ['-5', '"-5" is negative'],
    ['R$ -5,00', '"R$ -5,00" is negative'],
    ['-R$ 5,00', '"-R$ 5,00" is negative'],
    ['−5', '"−5" is negative'],
    ['1e3', '"1e3" has an exponent; write the amount out'],
    ['1,05E+03', '"1,05E+03" has an exponent; write the amount out'],
    ['R$  -   ', '"R$  -   " is negative'],
    ['R0,50', '"R0,50" has an R without its $: a shell reads the $1 in R$10,50 as a variable; write 10,50'],
    ['١٠', '"١٠" has characters other than the digits 0 to 9'],
    ['１０', '"１０" has characters other than the digits 0 to 9'],
    ['', 'an amount is missing'],
    ['R$', 'an amount is missing'],
    ['9999999999999999', 'the amount is larger than this program can count'],
    ['99999999999999,99', 'the amount is larger than this program can count'],
  ])('refuses %j with its readings', (text, reason) => {
    expect(parseAmount(text)).toEqual({ ok: false, reason });
  });

  it.each([
    '+10',
    '10,',
    ',50',
    '.50',
    '1.05.00',
    '10,50,00',
    '1 050,00',
    '01.050,00',
    '1.0500,00',
    '10,505',
    '0x10',
    '1_000',
    'ten',
    'US$ 10,50',
    'NaN',
    'Infinity',
    '10,50 R$',
    '1.050,0',
    '1.050,000',
    '1,050.000',
    '1.050,00x',
    'x1.050,00',
    'x1,050.00',
  ])('refuses %j', (text) => {
    expect(parseAmount(text)).toMatchObject({ ok: false });
  });

  it.each(['1.234,5', 'x1.050.000', '1,050,000x', '5R1', 'x1e3', '1e3x', '5-0'])(
    'makes no guess at what %j could mean',
    (text) => {
      expect(parseAmount(text)).toEqual({
        ok: false,
        reason: `"${text}" is not an amount: write cents (1050) or reais with two decimals (10,50)`,
      });
    },
  );

  it('reads back whatever formatCents writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (cents) => {
        expect(parseAmount(formatCents(cents))).toEqual({ ok: true, cents });
        expect(parseAmount(String(cents))).toEqual({ ok: true, cents });
        expect(parseAmount(decimalOf(cents, ','))).toEqual({ ok: true, cents });
      }),
    );
  });

  it('never throws, and never makes anything but whole cents', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^R?\$?[ 0-9.,e+-]{0,24}$/)), (text) => {
        const parsed = parseAmount(text);
        if (parsed.ok) expect(Number.isSafeInteger(parsed.cents) && parsed.cents >= 0).toBe(true);
        else expect(parsed.reason).not.toBe('');
      }),
    );
  });
});

describe('formatCents', () => {
  it.each([
    [0, 'R$ 0,00'],
    [5, 'R$ 0,05'],
    [1050, 'R$ 10,50'],
    [105_000, 'R$ 1.050,00'],
    [100_000_000, 'R$ 1.000.000,00'],
    [-1050, '-R$ 10,50'],
    [Number.MAX_SAFE_INTEGER, 'R$ 90.071.992.547.409,91'],
  ])('writes %i as %s', (cents, text) => {
    expect(formatCents(cents)).toBe(text);
  });

  it.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('refuses %d', (value) => {
    expect(() => formatCents(value)).toThrow(RangeError);
    expect(() => toCents(value)).toThrow(RangeError);
  });
});

describe('decimalOf', () => {
  it.each([
    [0, '0.00'],
    [7, '0.07'],
    [105_000, '1050.00'],
    [-7, '-0.07'],
  ])('writes %i as %s', (cents, text) => {
    expect(decimalOf(cents)).toBe(text);
  });
});

describe('findBoundsProblem', () => {
  it.each([
    [99, 'R$ 0,99 is below the minimum of R$ 1,00'],
    [100, null],
    [100_000_000, null],
    [100_000_001, 'R$ 1.000.000,01 is above the maximum of R$ 1.000.000,00'],
  ])('judges %i', (cents, said) => {
    expect(findBoundsProblem(cents, { min: 100, max: 100_000_000 })).toBe(said);
  });

  const small = 'R$ 0,10 is below the minimum of R$ 1,00';
  it.each([
    ['10', 10, `${small}: a whole number is cents; for R$ 10,00 write 10,00`],
    [' 10 ', 10, `${small}: a whole number is cents; for R$ 10,00 write 10,00`],
    ['1', 1, 'R$ 0,01 is below the minimum of R$ 1,00: a whole number is cents; for R$ 1,00 write 1,00'],
    ['0,10', 10, small],
    ['0', 0, 'R$ 0,00 is below the minimum of R$ 1,00'],
    ['200000000', 200_000_000, 'R$ 2.000.000,00 is above the maximum of R$ 1.000.000,00'],
  ])('says, for %j, how to write the reais that may have been meant', (written, cents, said) => {
    expect(findBoundsProblem(cents, { min: 100, max: 100_000_000 }, written)).toBe(said);
  });
});
