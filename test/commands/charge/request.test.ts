import { describe, expect, it } from 'vitest';
import { limitOf } from '../../../src/commands/charge/list.ts';
import {
  bodyOf,
  type CreateFlags,
  complete,
  nonInteractiveWords,
} from '../../../src/commands/charge/request.ts';
import type { Prompter } from '../../../src/terminal/prompter.ts';

it('an id that was pasted into its question is taken without the spaces around it', async () => {
  const answers = ['10,50', 'Two coffees', ' cust_1\t'];
  const prompter = {
    canAsk: true,
    input: async () => answers.shift() ?? '',
  } as Partial<Prompter> as Prompter;
  const { flags, asked } = await complete({}, prompter);
  expect(asked).toBe(true);
  expect(bodyOf(flags)).toEqual({
    method: 'PIX',
    amount: 1050,
    description: 'Two coffees',
    customerId: 'cust_1',
  });
});

const refused = expect.objectContaining({ exit: 64, message: expect.stringContaining('Nothing was sent.') });

describe('what is asked of the service', () => {
  it.each<[CreateFlags, object]>([
    [{ amount: '100' }, { amount: 100 }],
    [{ amount: '1.000.000,00' }, { amount: 100_000_000 }],
    [
      { amount: '1050', description: '\u{1f9c0}'.repeat(140) },
      { amount: 1050, description: '\u{1f9c0}'.repeat(140) },
    ],
    [
      { amount: '1050', customer: 'c'.repeat(50) },
      { amount: 1050, customerId: 'c'.repeat(50) },
    ],
    [{ amount: '1050', description: '', customer: '' }, { amount: 1050 }],
    [
      { amount: '1050', expiresIn: '60' },
      { amount: 1050, expiresIn: 60 },
    ],
    [
      { amount: '1050', expiresIn: '15m' },
      { amount: 1050, expiresIn: 900 },
    ],
    [
      { amount: '1050', expiresIn: '30d' },
      { amount: 1050, expiresIn: 2_592_000 },
    ],
  ])('by %j', (flags, body) => {
    expect(bodyOf(flags)).toEqual({ method: 'PIX', ...body });
  });

  it.each<[CreateFlags]>([
    [{ amount: '99' }],
    [{ amount: '1.000.000,01' }],
    [{ amount: '10,5' }],
    [{ amount: '1050', description: 'x'.repeat(141) }],
    [{ amount: '1050', customer: 'c'.repeat(51) }],
    [{ amount: '1050', expiresIn: '59' }],
    [{ amount: '1050', expiresIn: '2592001' }],
  ])('is not %j', (flags) => {
    expect(() => bodyOf(flags)).toThrow(refused);
  });
});

it('the line that does the same without asking has every flag', () => {
  expect(
    nonInteractiveWords({
      ...{ amount: '10,50', description: '-d', customer: 'cust_1', expiresIn: '15m' },
      ...{ idempotencyKey: 'order-1', qr: false, png: 'a.png', wait: true },
    }),
  ).toEqual([
    ...['pixctl', 'charge', 'create', '--amount', '10,50', '--description=-d', '--customer', 'cust_1'],
    ...['--expires-in', '15m', '--idempotency-key', 'order-1', '--no-qr', '--png', 'a.png', '--wait'],
  ]);
  expect(nonInteractiveWords({ amount: '5', qr: true, wait: false })).toEqual([
    ...['pixctl', 'charge', 'create', '--amount', '5'],
  ]);
});

describe('--limit', () => {
  it.each([
    ['1', false, 1],
    ['10000', false, 10_000],
    ['1', true, 1],
    ['100', true, 100],
  ])('%s, with --all %s', (limit, all, number) => {
    expect(limitOf({ limit, all })).toBe(number);
  });

  it.each([
    ['0', false],
    ['10001', false],
    ['0', true],
    ['101', true],
    ['5.5', false],
  ])('%s is refused, with --all %s', (limit, all) => {
    expect(() => limitOf({ limit, all })).toThrow(refused);
  });

  it('may be left out', () => {
    expect(limitOf({})).toBeUndefined();
  });
});
