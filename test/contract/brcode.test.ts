import { generatePixPayload } from '@brazilian-utils/brazilian-utils/generate-pix-payload';
import { getPixPayloadInfo } from '@brazilian-utils/brazilian-utils/get-pix-payload-info';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildDynamicCode } from '../../src/contract/brcode/build.ts';
import { crc16 } from '../../src/contract/brcode/crc.ts';
import { explainBrCode } from '../../src/contract/brcode/explain.ts';
import { writeField } from '../../src/contract/brcode/fields.ts';
import { judgeBrCode } from '../../src/contract/brcode/judge.ts';
import { toCents } from '../../src/contract/money.ts';

const publicDynamic =
  '00020101021226900014BR.GOV.BCB.PIX2568qrcodes-pix-h.gerencianet.com.br/v2/1945cd30c786425ab6121bba9f49d4405204000053039865802BR5914GERENCIANET SA6010OURO PRETO62070503***6304E615';
const manualStatic =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D';
/** A code with its CRC made right again after a change. */
const resealed = (text: string): string => {
  const open = text.slice(0, -4);
  return open + crc16(open);
};
/** A static code whose account holds these fields after its domain. */
const staticFor = (fields: string): string =>
  `00020126${18 + fields.length}0014br.gov.bcb.pix${fields}5204000053039865802BR5901N6001C62070503***63040000`;
const errorsOf = (text: string): string[] =>
  judgeBrCode(text)
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ text }) => text);

describe('crc16', () => {
  it.each([
    ['123456789', '29B1'],
    ['', 'FFFF'],
    ['ção', 'DDFE'],
    [publicDynamic.slice(0, -4), 'E615'],
    [manualStatic.slice(0, -4), '1D3D'],
  ])('of %j is %s', (text, crc) => {
    expect(crc16(text)).toBe(crc);
  });
});

/** A static code with this city, whose length is written as `length`. */
const codeFrom = (city: string, length: string): string =>
  resealed(manualStatic.replace('6008BRASILIA', `60${length}${city}`));

describe('a code with accents', () => {
  it.each([
    ['characters', codeFrom('São Luís', '08')],
    ['bytes', codeFrom('São Luís', '10')],
  ])('is read where lengths count %s, and is not one that every bank takes', (_, text) => {
    const { valid, findings, code } = judgeBrCode(text);
    expect(code).toMatchObject({ key: '123e4567-e12b-12d1-a456-426655440000', city: 'São Luís', txid: null });
    expect([valid, findings.map((finding) => finding.text)]).toEqual([
      false,
      [`character ${text.indexOf('ã') + 1} is outside printable ASCII`],
    ]);
    expect(explainBrCode(text).map(({ field }) => field)).toContain('63');
  });

  it.each([
    ['a length that fits neither way', codeFrom('São Luís', '09')],
    ['a length beyond the end', codeFrom('Luíz', '98')],
    ['half of a surrogate pair', codeFrom('S\ud83do', '99')],
  ])('with %s is read up to there', (_, text) => {
    expect(judgeBrCode(text).findings).toContainEqual(
      expect.objectContaining({ severity: 'error', text: expect.stringMatching(/^(at|field)/) }),
    );
    expect(explainBrCode(text).map(({ field }) => field)).toContain('59');
  });

  it('is read by characters wherever they are what its lengths count', () => {
    const words = fc.array(fc.stringMatching(/^[A-Za-z0-9À-ÿ€😀 ]{1,20}$/u), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(words, (values) => {
        const text = values
          .map((value, at) => `7${at}${String(value.length).padStart(2, '0')}${value}`)
          .join('');
        expect(explainBrCode(text).map(({ value }) => value)).toEqual(values);
      }),
    );
  });
});

describe('judgeBrCode', () => {
  it('reads the public dynamic code', () => {
    expect(judgeBrCode(publicDynamic)).toEqual({
      valid: true,
      findings: [],
      code: {
        kind: 'dynamic',
        key: null,
        url: 'qrcodes-pix-h.gerencianet.com.br/v2/1945cd30c786425ab6121bba9f49d440',
        amount: null,
        txid: null,
        name: 'GERENCIANET SA',
        city: 'OURO PRETO',
        description: null,
      },
    });
  });

  it('reads the static code of the manual', () => {
    expect(judgeBrCode(manualStatic)).toMatchObject({
      valid: true,
      findings: [],
      code: { kind: 'static', key: '123e4567-e12b-12d1-a456-426655440000', name: 'Fulano de Tal' },
    });
  });

  it.each([
    [
      'neighbours in the wrong order',
      resealed(manualStatic.replace('520400005303986', '530398652040000')),
      'the fields are not in ascending order',
    ],
    ['a CRC in lower case', manualStatic.replace('1D3D', '1d3d'), 'the CRC is in lower case'],
    [
      'no field for the txid',
      resealed(manualStatic.replace('62070503***', '')),
      'field 62 (additional data) is missing',
    ],
    ['no txid', resealed(manualStatic.replace('62070503***', '62070103abc')), 'there is no txid in field 62'],
    [
      'a txid of a dynamic code where *** belongs',
      resealed(publicDynamic.replace('62070503***', '62070503abc')),
      '*** belongs here',
    ],
    [
      'a key of no kind',
      resealed(manualStatic.replace('123e4567-e12b-12d1-a456-426655440000', 'x'.repeat(36))),
      'this is none of the five kinds of PIX key',
    ],
    [
      'a key that only ends like one',
      resealed(
        manualStatic.replace('123e4567-e12b-12d1-a456-426655440000', `${'x'.repeat(22)}Q0SLFMBD7VX439`),
      ),
      'this is none of the five kinds of PIX key',
    ],
    [
      'a domain that is not first',
      resealed(
        manualStatic.replace(
          '26580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000',
          '26580136123e4567-e12b-12d1-a456-4266554400000014br.gov.bcb.pix',
        ),
      ),
      '26-00 (domain) should come first in its template',
    ],
  ])('only warns of %s', (_, text, words) => {
    const { valid, findings } = judgeBrCode(text);
    expect(findings).toMatchObject([{ severity: 'warning', text: expect.stringContaining(words) }]);
    expect(valid).toBe(true);
  });

  it.each([
    [
      'an altered character',
      manualStatic.replace('Fulano', 'Fulana'),
      'the CRC is 1D3D, but this text gives',
    ],
    ['a cut code', manualStatic.slice(0, 80), 'characters, but'],
    ['no CRC', manualStatic.slice(0, -8), 'the CRC (field 63) is missing'],
    ['nothing', '', 'the code is empty'],
    ['prose', 'hello world', 'at character 1 no field begins'],
    ['an endless text', '0'.repeat(600), '512 is the maximum'],
    ['another currency', resealed(manualStatic.replace('5303986', '5303840')), '986 (Brazilian real)'],
    ['another country', resealed(manualStatic.replace('5802BR', '5802AR')), 'must be BR'],
    ['a country that begins like it', resealed(manualStatic.replace('5802BR', '5803BRA')), 'must be BR'],
    ['another version', resealed(manualStatic.replace('000201', '000202')), 'must be 01'],
    ['a category that is no number', resealed(manualStatic.replace('52040000', '5204ABCD')), 'four digits'],
    [
      'no name',
      resealed(manualStatic.replace('5913Fulano de Tal', '')),
      'field 59 (merchant name) is missing',
    ],
    ['no city', resealed(manualStatic.replace('6008BRASILIA', '')), 'field 60 (merchant city) is missing'],
    [
      'a long name',
      resealed(manualStatic.replace('5913Fulano de Tal', `5926${'N'.repeat(26)}`)),
      'has 26 characters; 25 is the maximum',
    ],
    [
      'a long city',
      resealed(manualStatic.replace('6008BRASILIA', `6016${'C'.repeat(16)}`)),
      'has 16 characters; 15 is the maximum',
    ],
    ['a name with an accent', resealed(manualStatic.replace('Fulano', 'Fulanó')), 'outside printable ASCII'],
    ['a name twice', resealed(manualStatic.replace('6008', '5901X6008')), 'occurs more than once'],
    [
      'two PIX accounts',
      resealed(manualStatic.replace('5204', '27390014br.gov.bcb.pix0117maria@example.com5204')),
      'more than one field carries a PIX account',
    ],
    [
      'another domain',
      resealed(manualStatic.replace('br.gov.bcb.pix', 'br.gov.bcb.pux')),
      'this is not a PIX code',
    ],
    ['a first field that is not 00', resealed(manualStatic.slice(6)), 'must come first'],
    [
      'a URL with its scheme',
      resealed(
        '00020126360014br.gov.bcb.pix2514https://a.br/x5204000053039865802BR5901N6001C62070503***63040000',
      ),
      'without its scheme',
    ],
    [
      'neither key nor URL',
      resealed('00020126180014br.gov.bcb.pix5204000053039865802BR5901N6001C62070503***63040000'),
      'neither a PIX key nor a URL',
    ],
    [
      'the domain of PIX where another field of the account carries it',
      resealed(
        manualStatic.replace(
          '26580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000',
          '26380012com.example.0214br.gov.bcb.pix',
        ),
      ),
      'this is not a PIX code',
    ],
    [
      'a URL at a host of one label',
      resealed('00020126310014br.gov.bcb.pix2509localhost5204000053039865802BR5901N6001C62070503***63040000'),
      'not of the form host/path',
    ],
    [
      'an ISPB of nine digits',
      resealed(staticFor('0111123456789090309123456789')),
      'a withdrawal facilitator is an ISPB of 8 digits',
    ],
    [
      'an ISPB with letters',
      resealed(staticFor('011112345678909030812AB5678')),
      'a withdrawal facilitator is an ISPB of 8 digits',
    ],
    ['an ISPB beside a URL', resealed(staticFor('2506a.br/x030812345678')), 'belongs to static codes'],
    ['a key and a URL', resealed(staticFor('0111123456789092506a.br/x')), 'a bank may follow either'],
    [
      'the same key twice',
      resealed(staticFor('011112345678909011112345678909')),
      'field 26-01 occurs more than once',
    ],
    [
      'a point of initiation that begins like one',
      resealed(manualStatic.replace('000201', '0002010103121')),
      'field 01 must be 11 or 12',
    ],
    ['an amount of zero', resealed(manualStatic.replace('5303986', '530398654040.00')), 'the amount is zero'],
    [
      'an amount with a comma',
      resealed(manualStatic.replace('5303986', '5303986540510,50')),
      'is not like 10.50',
    ],
    [
      'an amount in thirds of cents',
      resealed(manualStatic.replace('5303986', '530398654061.0505')),
      'is not like 10.50',
    ],
    [
      'a txid with a hyphen',
      resealed(manualStatic.replace('62070503***', '62070503a-b')),
      'letters and digits',
    ],
    [
      'broken additional data',
      resealed(manualStatic.replace('62070503***', '62070509***')),
      'inside field 62',
    ],
  ])('refuses %s in words', (_, text, said) => {
    const { valid } = judgeBrCode(text);
    expect(valid).toBe(false);
    expect(errorsOf(text).join('\n')).toContain(said);
  });

  it.each([
    ['10.50', 1050],
    ['10.5', 1050],
    ['10', 1000],
    ['0.01', 1],
    ['9999999999.99', 999_999_999_999],
  ])('reads the amount %s without a float', (amount, cents) => {
    const field = `54${String(amount.length).padStart(2, '0')}${amount}`;
    const text = resealed(manualStatic.replace('5303986', `5303986${field}`));
    expect(judgeBrCode(text)).toMatchObject({ valid: true, code: { amount: cents } });
  });

  it.each([
    ['011112345678909030812345678', '0.00', 0],
    ['2506a.br/x', '0.00', 0],
    ['2506a.br/x', '10.50', 1050],
  ])('allows, in an account with %s, the amount %s', (fields, amount, cents) => {
    const text = resealed(staticFor(fields).replace('5802BR', `540${amount.length}${amount}5802BR`));
    expect(judgeBrCode(text)).toMatchObject({ valid: true, findings: [], code: { amount: cents } });
  });

  it('reads the static codes that an independent library makes', () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z ]{0,40}[a-z]$/);
    const txids = fc.stringMatching(/^[A-Za-z0-9]{1,25}$/);
    fc.assert(
      fc.property(name, name, fc.integer({ min: 1, max: 99_999_999 }), txids, (name, city, cents, txid) => {
        const given = { merchantName: name, merchantCity: city, amount: cents / 100, txid };
        const key = '12345678909';
        expect(judgeBrCode(generatePixPayload({ ...given, key }) ?? '')).toMatchObject({
          valid: true,
          findings: [],
          code: { kind: 'static', key, amount: cents, txid },
        });
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9]{0,80}$/)), (text) => {
        judgeBrCode(text);
        explainBrCode(text);
      }),
    );
  });

  it('notices every single altered character', () => {
    fc.assert(
      fc.property(fc.nat(publicDynamic.length - 1), fc.constantFrom('0', 'x', '7', ' '), (at, character) => {
        fc.pre(publicDynamic[at] !== character);
        expect(judgeBrCode(publicDynamic.slice(0, at) + character + publicDynamic.slice(at + 1)).valid).toBe(
          false,
        );
      }),
    );
  });
});

describe('building', () => {
  it('writes a dynamic code with its amount', () => {
    const text = buildDynamicCode({
      url: 'pix.example.com/qr/v2/1234',
      name: 'Fulano de Tal',
      city: 'Brasília',
      amount: toCents(1050),
    });
    expect(text).toBe(
      '00020101021226480014br.gov.bcb.pix2526pix.example.com/qr/v2/1234520400005303986540510.505802BR5913Fulano de Tal6008Brasilia62070503***6304FD26',
    );
  });

  it('names no receiver where nothing of the name and the city is ASCII', () => {
    const { valid, code } = judgeBrCode(buildDynamicCode({ url: 'a.br/x', name: '\u4e2d\u6587', city: ' ' }));
    expect([valid, code.name, code.city]).toEqual([true, 'NAO INFORMADO', 'BRASIL']);
  });

  it('writes what an independent library writes for the same data, and reads it back', () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z ]{0,40}[a-z]$/);
    const path = fc.stringMatching(/^[a-z0-9]{1,40}$/);
    fc.assert(
      fc.property(name, name, fc.integer({ min: 1, max: 99_999_999 }), path, (name, city, cents, path) => {
        const url = `pix.example.com/qr/v2/${path}`;
        const theirs = generatePixPayload({ url, merchantName: name, merchantCity: city });
        expect(buildDynamicCode({ url, name, city })).toBe(theirs);
        // The library knows of no amount beside a URL.
        const ours = buildDynamicCode({ url, name, city, amount: toCents(cents) });
        expect(getPixPayloadInfo(ours)).toMatchObject({ url });
        expect(judgeBrCode(ours)).toMatchObject({
          valid: true,
          findings: [],
          code: { kind: 'dynamic', url, amount: cents },
        });
      }),
    );
  });

  it.each([
    ['a URL with a scheme', () => buildDynamicCode({ url: 'https://a.br/x', name: 'N', city: 'C' })],
    [
      'a URL of 78 characters',
      () => buildDynamicCode({ url: `a.br/${'x'.repeat(73)}`, name: 'N', city: 'C' }),
    ],
    [
      'an amount of zero',
      () => buildDynamicCode({ url: 'a.br/x', amount: toCents(0), name: 'N', city: 'C' }),
    ],
  ])('refuses %s', (_, build) => {
    expect(build).toThrow(RangeError);
  });
});

describe('explainBrCode', () => {
  it('names every field', () => {
    expect(explainBrCode(manualStatic.replace('5303986', '5303986540510.50'))).toEqual([
      { field: '00', name: 'payload format', value: '01', meaning: 'EMV QR code, version 1' },
      {
        field: '26',
        name: 'merchant account (PIX)',
        value: '0014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000',
        meaning: '',
      },
      { field: '26-00', name: 'domain', value: 'br.gov.bcb.pix', meaning: '' },
      { field: '26-01', name: 'PIX key', value: '123e4567-e12b-12d1-a456-426655440000', meaning: '' },
      { field: '52', name: 'merchant category', value: '0000', meaning: 'not stated' },
      { field: '53', name: 'currency', value: '986', meaning: 'Brazilian real' },
      { field: '54', name: 'amount', value: '10.50', meaning: 'R$ 10,50' },
      { field: '58', name: 'country', value: 'BR', meaning: 'Brazil' },
      { field: '59', name: 'merchant name', value: 'Fulano de Tal', meaning: '' },
      { field: '60', name: 'merchant city', value: 'BRASILIA', meaning: '' },
      { field: '62', name: 'additional data', value: '0503***', meaning: '' },
      { field: '62-05', name: 'txid', value: '***', meaning: 'none given here' },
      { field: '63', name: 'CRC', value: '1D3D', meaning: '' },
    ]);
  });
});

it('a field has one to 99 characters, because its length has two digits', () => {
  expect(writeField('59', 'A')).toBe('5901A');
  expect(writeField('26', 'x'.repeat(99))).toBe(`2699${'x'.repeat(99)}`);
  for (const value of ['', 'x'.repeat(100)]) expect(() => writeField('26', value)).toThrow(RangeError);
});
