import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { judgeListing, type PlanFacts } from '../../../src/withdrawal/attempt/plan.ts';

const now = Date.parse('2026-03-10T12:00:00Z');
const body = { amount: 1050, pixKey: '12345678909', pixKeyType: 'CPF' } as const;
const item = (more: object) => ({
  id: 'w1',
  ...body,
  status: 'COMPLETED',
  createdAt: '2026-03-10T11:00:00Z',
  ...more,
});
const untyped = (pixKey: string, pixKeyType: '' | null) => item({ pixKey, pixKeyType });
const judged = (items: readonly ReturnType<typeof item>[], more: Partial<PlanFacts> = {}) =>
  judgeListing({
    listing: { items, ids: new Set(items.map(({ id }) => id)) },
    body,
    baseline: new Set(),
    claimed: new Set(),
    sentBefore: false,
    allowDuplicate: false,
    reportedTwins: null,
    now,
    ...more,
  }).kind;

describe.each(['UTC', 'Asia/Kathmandu', 'America/Sao_Paulo'])(
  'whether a withdrawal may be sent now, in %s',
  (zone) => {
    beforeEach(() => vi.stubEnv('TZ', zone));
    afterEach(() => vi.unstubAllEnvs());
    it.each([
      ['nothing listed', [], {}, 'ready'],
      ['one PENDING, of anybody', [item({ status: 'PENDING', amount: 1 })], {}, 'in-flight'],
      [
        'one PROCESSING that is claimed',
        [item({ status: 'PROCESSING' })],
        { claimed: new Set(['w1']) },
        'in-flight',
      ],
      ['a recent one like it that nobody claims', [item({})], {}, 'twins'],
      ['one of 23 hours ago, told without a zone', [item({ createdAt: '2026-03-09T13:00:00' })], {}, 'twins'],
      ['one of 25 hours ago, told without a zone', [item({ createdAt: '2026-03-09T11:00:00' })], {}, 'ready'],
      [
        'one of the 5th of December, as Brazil writes it',
        [item({ createdAt: '05/12/2026 08:00' })],
        { now: Date.parse('2026-12-05T12:00:00Z') },
        'twins',
      ],
      ['the same key in another dress', [item({ pixKey: '123.456.789-09' })], {}, 'twins'],
      ['one whose key is masked', [item({ pixKey: '***.456.789-**' })], {}, 'twins'],
      ['the same whole key without its type', [item({ pixKeyType: undefined })], {}, 'twins'],
      ['the same whole key, its type in a word of its own', [item({ pixKeyType: 'cpf' })], {}, 'twins'],
      ['the same whole key with another of the types', [item({ pixKeyType: 'EMAIL' })], {}, 'ready'],
      ['the same key in another dress, its type empty', [untyped('123.456.789-09', '')], {}, 'twins'],
      ['one of another whole key', [item({ pixKey: '98765432100' })], {}, 'ready'],
      ['one of another whole key without its type', [untyped('98765432100', null)], {}, 'ready'],
      ['a recent one that an intent claims', [item({})], { claimed: new Set(['w1']) }, 'ready'],
      ['a recent one that failed', [item({ status: 'FAILED' })], {}, 'ready'],
      ['a recent one of another amount', [item({ amount: 1051 })], {}, 'ready'],
      ['one of the day before yesterday', [item({ createdAt: '2026-03-08T11:00:00Z' })], {}, 'ready'],
      [
        'one of tomorrow, by a clock that is behind',
        [item({ createdAt: '2026-03-12T11:00:00Z' })],
        {},
        'twins',
      ],
      ['one without a time that no send has seen', [item({ createdAt: undefined })], {}, 'twins'],
      [
        'one without a time that an earlier send has seen',
        [item({ createdAt: undefined })],
        { baseline: new Set(['w1']) },
        'ready',
      ],
      ['one in flight like it that nobody claims', [item({ status: 'PROCESSING' })], {}, 'twins'],
      ['a recent one, confirmed', [item({})], { allowDuplicate: true }, 'ready'],
      ['one in flight, confirmed', [item({ status: 'PENDING' })], { allowDuplicate: true }, 'in-flight'],
      [
        'one that was not there when this key was sent, confirmed before anybody was told of it',
        [item({})],
        { allowDuplicate: true, reportedTwins: new Set(['w0']), sentBefore: true },
        'twins',
      ],
      [
        'one that was not there when this key was sent, confirmed once it was told',
        [item({})],
        { allowDuplicate: true, reportedTwins: new Set(['w1']), sentBefore: true },
        'ready',
      ],
      [
        'one that was there when this key was sent, confirmed',
        [item({})],
        {
          allowDuplicate: true,
          reportedTwins: new Set<string>(),
          baseline: new Set(['w1']),
          sentBefore: true,
        },
        'ready',
      ],
      [
        'an old one that appeared after the last send that the ledger knows of',
        [item({ createdAt: '2026-03-01T00:00:00Z' })],
        { sentBefore: true },
        'twins',
      ],
    ] as const)('%s', (_, items, more, expected) => {
      expect(judged(items, more)).toBe(expected);
    });
  },
);

it.each([
  'a***@example.com',
  'a\u25cf\u25cf\u25cf@example.com',
  'a___@example.com',
  'a---@example.com',
  'a..@example.com',
])('treats %s as a key that is not written out, although it has the format of one', (pixKey) => {
  const order = { amount: 1050, pixKey: 'ana@example.com', pixKeyType: 'EMAIL' } as const;
  const one = { ...item({}), ...order };
  expect(judged([{ ...one, pixKey }] as never, { body: order })).toBe('twins');
  expect(judged([{ ...one, pixKey: 'ana-maria_2@example.com' }] as never, { body: order })).toBe('ready');
});

it.each([
  ['12.ABC.345/01DE-35', 'ready'],
  ['12abc34501de35', 'ready'],
  ['12.ABC.345/01DE-36', 'twins'],
  ['11.XXX.333/0001-81', 'twins'],
  ['X1.222.333/0001-03', 'twins'],
  ['**.222.333/****-**', 'twins'],
  ['11222333000181', 'twins'],
])("treats the CNPJ %s as another company's only if it is written out: %s", (pixKey, expected) => {
  const order = { amount: 1050, pixKey: '11222333000181', pixKeyType: 'CNPJ' } as const;
  expect(judged([{ ...item({}), ...order, pixKey }] as never, { body: order })).toBe(expected);
});
