/** The text, the picture and the amounts of a charge must agree before anybody pays it: one changed at a time. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkCharge } from '../../../src/commands/charge/check.ts';
import type { CreatedCharge } from '../../../src/contract/charge.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { clientOf } from '../../api/client-of.ts';

let sandbox: Sandbox;
let charge: CreatedCharge;
let other: CreatedCharge;
beforeAll(async () => {
  sandbox = await startSandbox();
  const api = clientOf(sandbox.url, { apiKey: async () => sandbox.apiKey });
  charge = await api.call('createCharge', { body: { method: 'PIX', amount: 1050 } });
  other = await api.call('createCharge', { body: { method: 'PIX', amount: 2000 } });
  await api.close();
});
afterAll(() => sandbox.close());

const anotherCode = 'the QR code in the picture is not the same as the copy-and-paste code';

it('a charge as it was made is fine', async () => {
  expect(await checkCharge(charge)).toEqual([]);
  expect(await checkCharge(charge, 1050)).toEqual([]);
});

it.each<[string, () => Partial<CreatedCharge>, number | undefined, string[]]>([
  [
    'for another amount than was asked for',
    () => ({}),
    1051,
    [
      'the charge is for R$ 10,50, but R$ 10,51 was asked for',
      'the copy-and-paste code is for R$ 10,50, not for R$ 10,51',
    ],
  ],
  [
    'whose amount was changed',
    () => ({ amount: 1051 }),
    1050,
    ['the charge is for R$ 10,51, but R$ 10,50 was asked for'],
  ],
  [
    'that is read with another amount than its code has',
    () => ({ amount: 1051 }),
    undefined,
    ['the copy-and-paste code is for R$ 10,50, not for R$ 10,51'],
  ],
  [
    'with the code of another',
    () => ({ brCode: other.brCode }),
    1050,
    ['the copy-and-paste code is for R$ 20,00, not for R$ 10,50', anotherCode],
  ],
  ['with the picture of another', () => ({ imageBase64: other.imageBase64 }), 1050, [anotherCode]],
  [
    'without its code',
    () => ({ brCode: null as never }),
    1050,
    ['the service shows no copy-and-paste code of it', anotherCode],
  ],
  [
    'without its picture',
    () => ({ imageBase64: null as never }),
    1050,
    ['the service shows no picture of it'],
  ],
  [
    'with a picture that is none',
    () => ({ imageBase64: 'data:image/png;base64,AAAA' }),
    1050,
    ['the picture is not a PNG'],
  ],
])('a charge %s is not', async (_, change, asked, problems) => {
  expect(await checkCharge({ ...charge, ...change() }, asked)).toEqual(problems);
});

it('a code that a bank would refuse is not fine either', async () => {
  const altered = charge.brCode.replace('5802BR', '5802AR');
  const problems = await checkCharge({ ...charge, brCode: altered });
  expect(problems).toContain('field 58 (country) must be BR');
});
