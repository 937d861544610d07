/** The sandbox's own check digits, beside those of the library that the client asks. */
import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj';
import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hasValidCheckDigits } from '../../../src/sandbox/wire/pix-key-format.ts';

it.each([
  ['CPF', '12345678909', true],
  ['CPF', '12345678900', false],
  ['CPF', '52998224725', true],
  ['CPF', '11111111111', false],
  ['CNPJ', '11222333000181', true],
  ['CNPJ', '11222333000180', false],
  ['CNPJ', '00000000000000', false],
  ['EMAIL', 'someone@example.com', true],
  ['TELEFONE', '+5511987654321', true],
] as const)('those of %s %s are right: %s', (type, key, right) => {
  expect(hasValidCheckDigits(key, type)).toBe(right);
});

const digits = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((all) => all.join(''));

it.each([
  ['CPF', 9, isValidCpf],
  ['CNPJ', 12, (key: string) => isValidCnpj(key, { version: 1 })],
] as const)(
  'of a hundred endings of any %s, the library finds the same one right',
  (type, length, isValid) => {
    const endings = Array.from({ length: 100 }, (_, ending) => String(ending).padStart(2, '0'));
    fc.assert(
      fc.property(digits(length), (stem) => {
        const right = endings.filter((ending) => hasValidCheckDigits(stem + ending, type));
        expect(right).toEqual(endings.filter((ending) => isValid(stem + ending)));
      }),
      { numRuns: 50 },
    );
  },
);
