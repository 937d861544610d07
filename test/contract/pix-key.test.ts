import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePixKey } from '../../src/contract/pix-key.ts';
import { hasPixKeyFormat } from '../../src/contract/pix-key-format.ts';
import { maskPixKey } from '../../src/contract/pix-key-mask.ts';
import { type PixKeyType, pixKeyTypes } from '../../src/contract/withdrawal.ts';

describe('parsePixKey', () => {
  it.each([
    ['123.456.789-09', 'CPF', '12345678909'],
    ['12345678909', 'CPF', '12345678909'],
    [' 12345678909 ', 'CPF', '12345678909'],
    ['123456789-09', 'CPF', '12345678909'],
    ['12.345.678/0001-95', 'CNPJ', '12345678000195'],
    ['12345678000195', 'CNPJ', '12345678000195'],
    ['Fulano@Example.COM', 'EMAIL', 'fulano@example.com'],
    ['+5511987654321', 'TELEFONE', '+5511987654321'],
    ['+55 (11) 98765-4321', 'TELEFONE', '+5511987654321'],
    ['(11) 98765-4321', 'TELEFONE', '+5511987654321'],
    ['11 98765-4321', 'TELEFONE', '+5511987654321'],
    ['+15551234567', 'TELEFONE', '+15551234567'],
    ['71C7D9BE-4B85-4E43-9F1C-1F3B8B4E9A2D', 'CHAVE_ALEATORIA', '71c7d9be-4b85-4e43-9f1c-1f3b8b4e9a2d'],
    ['123e4567-e12b-12d1-a456-426655440000', 'CHAVE_ALEATORIA', '123e4567-e12b-12d1-a456-426655440000'],
  ])('reads %j as %s', (text, type, key) => {
    expect(parsePixKey(text)).toEqual({ ok: true, key, type });
  });

  it.each([
    ['51998259765', 'CPF', '51998259765'],
    ['51998259765', 'TELEFONE', '+5551998259765'],
    ['11987654321', 'TELEFONE', '+5511987654321'],
    ['5511987654321', 'TELEFONE', '+5511987654321'],
  ] as const)('reads %s as a %s when told to', (text, type, key) => {
    expect(parsePixKey(text, type)).toEqual({ ok: true, key, type });
  });

  it.each([
    ['51998259765', 'is a valid CPF and also a valid mobile number', '--type CPF'],
    ['11987654321', 'is not a valid CPF, but could be a mobile number', '+5511987654321'],
    ['12345678900', 'the check digits of this CPF are wrong', 'mistyped'],
    ['00000000000', 'the check digits of this CPF are wrong', 'mistyped'],
    ['12345678000190', 'the check digits of this CNPJ are wrong', 'mistyped'],
    ['Q0.SLF.MBD/7VX4-39', 'this CNPJ has letters', 'another key'],
    ['q0slfmbd7vx439', 'this CNPJ has letters', 'another key'],
    ['Q0SLFMBD7VX430', 'a CNPJ has 14 digits', '12.345.678/0001-95'],
    ['5511987654321', 'phone number without its +', '+5511987654321'],
    ['551133334444', 'phone number without its +', '+551133334444'],
    ['005511987654321', 'phone number without its +', '+5511987654321'],
    ['123456789091', 'none of the five kinds', 'CPF has 11 digits'],
    ['123.456.789-091', 'none of the five kinds', 'CPF has 11 digits'],
    ['71c7d9be4b854e439f1c1f3b8b4e9a2d', 'without its hyphens', '71c7d9be-4b85-4e43-9f1c-1f3b8b4e9a2d'],
    ['+551133334444', 'not a Brazilian mobile number', '+5511987654321'],
    ['+551198765432', 'not a Brazilian mobile number', '+5511987654321'],
    ['+0511987654321', 'not a phone number', '+5511987654321'],
    ['+55119876543210000', 'not a phone number', '+5511987654321'],
    ['a@b', 'not an e-mail address', 'name@example.com'],
    ['a b@example.com', 'not an e-mail address', 'name@example.com'],
    [`${'a'.repeat(66)}@example.com`, 'at most 77 characters', 'another key'],
    ['', 'is empty', 'give a CPF'],
    ['１２３４５６７８９０９', 'outside plain ASCII', 'type it again'],
    ['fulano@exаmple.com', 'outside plain ASCII', 'type it again'],
    ['hello', 'none of the five kinds', 'CPF has 11 digits'],
  ])('refuses %j and says why', (text, reason, hint) => {
    const parsed = parsePixKey(text);
    expect(parsed).toMatchObject({ ok: false });
    expect(parsed.ok ? '' : parsed.reason).toContain(reason);
    expect(parsed.ok ? '' : parsed.hint).toContain(hint);
  });

  it.each([
    ['123456789091', 'CPF'],
    ['x12345678909', 'CPF'],
    ['123456780001950', 'CNPJ'],
    ['12345678909', 'CNPJ'],
    ['12345678909', 'EMAIL'],
    ['12345678909', 'CHAVE_ALEATORIA'],
    ['12345678909', 'TELEFONE'],
    ['fulano@example.com', 'CPF'],
    ['+5511987654321', 'CPF'],
    ['12345678000195', 'TELEFONE'],
  ] as const)('does not make %s a %s', (text, type) => {
    expect(parsePixKey(text, type)).toMatchObject({ ok: false });
  });

  it('accepts an e-mail address of 77 characters', () => {
    const address = `${'a'.repeat(65)}@example.com`;
    expect(parsePixKey(address)).toEqual({ ok: true, key: address, type: 'EMAIL' });
  });

  it('makes only keys of the documented format, and reads its own spelling back', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^\+?[0-9()./-]{8,18}$/), fc.emailAddress(), fc.uuid()),
        fc.option(fc.constantFrom(...pixKeyTypes), { nil: undefined }),
        (text, type) => {
          const parsed = parsePixKey(text, type);
          if (!parsed.ok) return;
          expect(hasPixKeyFormat(parsed.key, parsed.type)).toBe(true);
          expect(parsePixKey(parsed.key, parsed.type)).toEqual(parsed);
        },
      ),
    );
  });
});

describe('hasPixKeyFormat', () => {
  it.each([
    ['12345678900', 'CPF', true],
    ['1234567890', 'CPF', false],
    ['123456789000', 'CPF', false],
    ['1234567800019', 'CNPJ', false],
    ['123456780001900', 'CNPJ', false],
    ['+123456', 'TELEFONE', false],
    ['+1234567', 'TELEFONE', true],
    ['+123456789012345', 'TELEFONE', true],
    ['+1234567890123456', 'TELEFONE', false],
    ['x+5511987654321', 'TELEFONE', false],
    [`${'a'.repeat(65)}@example.com`, 'EMAIL', true],
    [`${'a'.repeat(66)}@example.com`, 'EMAIL', false],
    ['a@b@example.com', 'EMAIL', false],
    ['x123e4567-e12b-12d1-a456-426655440000', 'CHAVE_ALEATORIA', false],
    ['123e4567-e12b-12d1-a456-4266554400000', 'CHAVE_ALEATORIA', false],
    ['123.456.789-09', 'CPF', false],
    ['12345678000190', 'CNPJ', true],
    ['+5511987654321', 'TELEFONE', true],
    ['5511987654321', 'TELEFONE', false],
    ['a@example.com', 'EMAIL', true],
    ['a@example', 'EMAIL', false],
    ['123e4567-e12b-12d1-a456-426655440000', 'CHAVE_ALEATORIA', true],
    ['123e4567e12b12d1a456426655440000', 'CHAVE_ALEATORIA', false],
  ] as const)('%s as %s: %s', (key, type, said) => {
    expect(hasPixKeyFormat(key, type)).toBe(said);
  });
});

describe('maskPixKey', () => {
  it.each<[string, PixKeyType, string]>([
    ['12345678909', 'CPF', '***.456.789-**'],
    ['12345678000195', 'CNPJ', '**.345.678/****-**'],
    ['fulano@example.com', 'EMAIL', 'f***@example.com'],
    ['+5511987654321', 'TELEFONE', '+55*******4321'],
    ['123e4567-e12b-12d1-a456-426655440000', 'CHAVE_ALEATORIA', '123e4567-****-****-****-********0000'],
    ['not a cpf', 'CPF', '*********'],
    ['123456789090', 'CPF', '************'],
    ['0123456789', 'CPF', '**********'],
    ['123456780001950', 'CNPJ', '************'],
    ['1234567800019', 'CNPJ', '************'],
    ['a@b@example.com', 'EMAIL', '************'],
    ['5511987654321', 'TELEFONE', '************'],
    ['+5511987654321x', 'TELEFONE', '************'],
    ['123e4567-e12b-12d1-a456-426655440000-', 'CHAVE_ALEATORIA', '************'],
    ['x', 'EMAIL', '*'],
    ['123E4567E12B12D1A456426655440000', 'CHAVE_ALEATORIA', '123E4567-****-****-****-********0000'],
    ['maria@example.com', 'CHAVE_ALEATORIA', '************'],
    ['+551198765432', 'CHAVE_ALEATORIA', '************'],
    ['123456789012', 'CHAVE_ALEATORIA', '************'],
  ])('shows %s (%s) as %s', (key, type, masked) => {
    expect(maskPixKey(key, type)).toBe(masked);
  });
});
