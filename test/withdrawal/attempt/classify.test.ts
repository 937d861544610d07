/** Each answer and its verdict (docs/withdrawal-promise.md, "States"). */
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../src/api/exchange.ts';
import { classify } from '../../../src/withdrawal/attempt/classify.ts';

const body = { amount: 1050, pixKey: 'ana@example.com', pixKeyType: 'EMAIL' } as const;
const record = { id: 'wd_1', ...body, fee: 100, status: 'PENDING' };
const reply = (status: number, text: string): Exchange => ({
  kind: 'reply',
  reply: { status, headers: {}, body: new TextEncoder().encode(text) },
});
const success = (data: unknown) => JSON.stringify({ data, error: null, success: true });
const contrary = (more: object) => JSON.stringify({ data: record, error: null, success: true, ...more });
const failure = (error: string) => JSON.stringify({ error, message: 'why', success: false });

describe('what became of a POST /withdrawals', () => {
  it.each([
    ['201 with a valid envelope', reply(201, success(record)), 'accepted'],
    ['201 with fields that are new', reply(201, success({ ...record, later: 1 })), 'accepted'],
    [
      '201 with the key in another dress',
      reply(201, success({ ...record, pixKey: 'Ana@Example.com' })),
      'accepted',
    ],
    ['201 without an id', reply(201, success({ ...record, id: undefined })), 'unknown'],
    ['201 with an empty id', reply(201, success({ ...record, id: '' })), 'unknown'],
    ['201 with a zero character in its id', reply(201, success({ ...record, id: 'wd\0' })), 'unknown'],
    ['201 with half a character in its id', reply(201, success({ ...record, id: 'wd\ud800' })), 'unknown'],
    ['201 about another amount', reply(201, success({ ...record, amount: 1051 })), 'unknown'],
    ['201 about another key', reply(201, success({ ...record, pixKey: 'bia@example.com' })), 'unknown'],
    ['201 about another type of key', reply(201, success({ ...record, pixKeyType: 'PHONE' })), 'unknown'],
    ['201 about a key of no type', reply(201, success({ ...record, pixKeyType: '' })), 'unknown'],
    ['201 that says no', reply(201, failure('BAD_REQUEST')), 'unknown'],
    ['201 that names an error beside the withdrawal', reply(201, contrary({ error: 'CONFLICT' })), 'unknown'],
    ['201 that says no beside the withdrawal', reply(201, contrary({ success: false })), 'unknown'],
    ['201 without an envelope', reply(201, JSON.stringify(record)), 'unknown'],
    ['201 cut short', reply(201, success(record).slice(0, 40)), 'unknown'],
    ['201 of a proxy', reply(201, '<html>'), 'unknown'],
    ['200 with the withdrawal', reply(200, success(record)), 'unknown'],
    ['202', reply(202, success(record)), 'unknown'],
    ['302', reply(302, ''), 'unknown'],
    ['307 with an envelope', reply(307, failure('BAD_REQUEST')), 'unknown'],
    ['400 with a known code', reply(400, failure('BAD_REQUEST')), 'refused'],
    ['401 with a known code', reply(401, failure('UNAUTHORIZED')), 'refused'],
    ['409 with a known code', reply(409, failure('CONFLICT')), 'refused'],
    ['429 with a known code', reply(429, failure('RATE_LIMITED')), 'refused'],
    ['400 with a code that the document does not show', reply(400, failure('ODD')), 'unknown'],
    ['400 that is called an internal error', reply(400, failure('INTERNAL_ERROR')), 'unknown'],
    ['403 of a proxy', reply(403, '<html>'), 'unknown'],
    ['404 without an envelope', reply(404, '{}'), 'unknown'],
    ['408 of a proxy', reply(408, ''), 'unknown'],
    ['500 in the envelope', reply(500, failure('INTERNAL_ERROR')), 'unknown'],
    ['500 with the code of a refusal', reply(500, failure('BAD_REQUEST')), 'unknown'],
    ['503', reply(503, ''), 'unknown'],
    ['no complete answer', { kind: 'lost', cause: { code: 'ECONNRESET' } }, 'unknown'],
    ['an interrupted exchange', { kind: 'lost', cause: { code: 'ABORTED' } }, 'unknown'],
  ] as const)('%s: %s', (_, exchange, expected) => {
    expect(classify(exchange, body, true).kind).toBe(expected);
  });

  it.each([{ id: 'wd_1' }, { id: 'wd_1', status: 'QUEUED' }, { ...record, amount: '1050' }])(
    'keeps the id that a 201 names, even if it says nothing else about the withdrawal: %o',
    (data) => {
      const reason = { kind: 'unknown', reason: 'MALFORMED', status: 201 };
      expect(classify(reply(201, success(data)), body, true)).toMatchObject({
        ...reason,
        answeredId: 'wd_1',
      });
    },
  );

  it.each([201, 200, 202])('keeps what a %i says that is no evidence, without the PIX key', (status) => {
    const odd = { ...record, amount: 1_150, odd: 'value' };
    expect(classify(reply(status, success(odd)), body, true)).toMatchObject({
      kind: 'unknown',
      said: expect.stringMatching(/^\{"id":"wd_1","amount":1150,[^@]*"status":"PENDING",[^@]*\}$/),
      answeredId: 'wd_1',
    });
  });

  it('keeps what a refusal says besides its message', () => {
    const details = [{ path: 'pixKey', message: 'not registered' }];
    const refusal = { error: 'VALIDATION_ERROR', message: 'Validation failed.', success: false };
    const whole = JSON.stringify({ ...refusal, details, errors: [] });
    expect(classify(reply(400, whole), body, true)).toMatchObject({
      kind: 'refused',
      message: 'Validation failed (details: [{"path":"pixKey","message":"not registered"}])',
    });
  });

  it.each([
    { ...record, fee: null },
    { ...record, createdAt: 7 },
    { ...record, id: 7 },
  ])('is accepted whatever the irrelevant fields say: %o', (data) => {
    expect(classify(reply(201, success(data)), body, true)).toMatchObject({
      kind: 'accepted',
      withdrawal: { ...data, id: String(data.id) },
    });
  });

  it.each(['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET', 'ENOTFOUND'])(
    'is not sent when no request began, whatever the error is called (%s)',
    (code) => {
      const exchange: Exchange = { kind: 'not-sent', cause: { code } };
      expect(classify(exchange, body, false)).toEqual({ kind: 'not-sent', cause: { code } });
    },
  );

  it('is unknown when our own check let a byte go, even if the exchange says nothing left', () => {
    const exchange: Exchange = { kind: 'not-sent', cause: null };
    expect(classify(exchange, body, true)).toEqual({ kind: 'unknown', reason: 'LOST' });
  });
});
