/** What a reply amounts to, by method, status and body: the kind decides the exit code, and so what a script may do. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerOf } from '../../src/api/classify.ts';
import type { Exchange } from '../../src/api/exchange.ts';
import { defaultRemedies } from '../../src/api/remedies.ts';
import type { RequestContext } from '../../src/api/request-context.ts';
import { PixctlError } from '../../src/errors.ts';

type Headers = Record<string, string>;

const replied = (status: number, body: string, headers: Headers = {}): Exchange => ({
  kind: 'reply',
  reply: { status, headers, body: Buffer.from(body) },
});

const asked = (method: 'GET' | 'POST'): RequestContext => ({
  method,
  path: '/transparents/x',
  host: 'api.example.com',
  success: method === 'GET' ? 200 : 201,
  now: 0,
  remedies: defaultRemedies,
});

/** The error that an answer amounts to; null for a success. */
function errorOf(method: 'GET' | 'POST', exchange: Exchange, fields?: readonly string[]): PixctlError | null {
  try {
    answerOf({ ...asked(method), ...(fields && { fields }) }, exchange);
    return null;
  } catch (error) {
    if (error instanceof PixctlError) return error;
    throw error;
  }
}

describe('the field that a refusal is about', () => {
  it.each([
    ['amount: must be an integer', 'amount'],
    ['must be an integer at amount', 'amount'],
    ['"customerId" is too long', 'customerId'],
    ['pixKey: must be as pixKeyType says', 'pixKey'],
    ['must be as pixKeyType says, which pixKey is not', undefined],
    ['the amounts are wrong', undefined],
    ['no', undefined],
  ])('is the one of those sent that the message names: %s', (message, field) => {
    const sent = ['amount', 'customerId', 'pixKey', 'pixKeyType'];
    const refused = replied(400, refusing('VALIDATION_ERROR', message));
    expect(errorOf('POST', refused, sent)).toMatchObject({ code: 'VALIDATION_ERROR', field });
    expect(errorOf('POST', refused)?.field).toBeUndefined();
  });

  it('is not looked for where the document does not say that it is named', () => {
    const refused = replied(400, refusing('BAD_REQUEST', 'amount: insufficient balance'));
    expect(errorOf('POST', refused, ['amount'])?.field).toBeUndefined();
  });
});

const refusing = (error: string, message = 'no') => JSON.stringify({ error, message, success: false });
const both = '{"data":{"id":"chg_1"},"error":"INTERNAL_ERROR","success":true}';
const good = '{"data":{"id":"chg_1"},"error":null,"success":true}';

describe('a read', () => {
  it.each<[number, string, Headers, object]>([
    [400, refusing('BAD_REQUEST'), {}, { kind: 'refused', code: 'BAD_REQUEST' }],
    [401, refusing('UNAUTHORIZED'), {}, { kind: 'auth', code: 'UNAUTHORIZED' }],
    [401, 'go away', {}, { kind: 'auth', code: 'UNAUTHORIZED' }],
    [403, refusing('FORBIDDEN'), {}, { kind: 'auth', code: 'FORBIDDEN' }],
    [403, 'go away', {}, { kind: 'unexpected', code: 'CONTRACT' }],
    [404, refusing('NOT_FOUND'), {}, { kind: 'notFound', code: 'NOT_FOUND' }],
    [404, 'no such page', {}, { kind: 'unexpected', code: 'CONTRACT' }],
    [409, refusing('CONFLICT'), {}, { kind: 'refused', code: 'CONFLICT' }],
    [429, refusing('RATE_LIMITED'), { 'retry-after': '7' }, { kind: 'later', hint: 'Run it again in 7 s.' }],
    [429, 'slow down', { 'retry-after': '7' }, { kind: 'later', code: 'RATE_LIMITED', retryAfterMs: 7000 }],
    [429, 'slow down', {}, { kind: 'later', retryAfterMs: undefined, hint: 'Run it again later.' }],
    [500, refusing('INTERNAL_ERROR'), {}, { kind: 'later', serviceCode: 'INTERNAL_ERROR' }],
    [503, '', { 'retry-after': '3' }, { kind: 'later', code: 'SERVER_ERROR', retryAfterMs: 3000 }],
    [599, '', {}, { kind: 'later', code: 'SERVER_ERROR', retryAfterMs: undefined }],
    [200, '<html>', { 'content-type': 'text/html' }, { kind: 'later', code: 'SERVER_ERROR' }],
    [200, '<html>', {}, { kind: 'unexpected', code: 'CONTRACT' }],
    [200, '{"success":true,"error":null}', {}, { kind: 'unexpected', code: 'CONTRACT' }],
    [200, good.replace('true', '"true"'), {}, { kind: 'unexpected', code: 'CONTRACT' }],
    [200, refusing('NOT_FOUND'), {}, { kind: 'unexpected', code: 'CONTRACT', serviceCode: 'NOT_FOUND' }],
    [200, both, {}, { kind: 'unexpected', code: 'CONTRACT' }],
    [201, good, {}, { kind: 'unexpected', code: 'CONTRACT' }],
    [299, '<html>', { 'content-type': 'text/html' }, { kind: 'later', code: 'SERVER_ERROR' }],
    [300, '<html>', { 'content-type': 'text/html' }, { kind: 'unexpected', code: 'CONTRACT' }],
    [302, '', { location: 'https://evil.example/' }, { kind: 'unexpected', code: 'CONTRACT' }],
    [400, good, {}, { kind: 'unexpected', code: 'CONTRACT' }],
  ])('answered with %i %j %j', (status, body, headers, said) => {
    expect(errorOf('GET', replied(status, body, headers))).toMatchObject({ httpStatus: status, ...said });
  });

  it('never ends with an unknown outcome', () => {
    fc.assert(
      fc.property(statuses, bodies, (status, body) => {
        const error = errorOf('GET', replied(status, body));
        expect(error?.kind).not.toBe('unknown');
        expect(error === null).toBe(status === 200 && body === good);
      }),
    );
  });
});

describe('a request that may change something', () => {
  it.each<[number, string, object]>([
    [400, refusing('VALIDATION_ERROR'), { kind: 'refused', code: 'VALIDATION_ERROR' }],
    [401, refusing('UNAUTHORIZED'), { kind: 'auth', code: 'UNAUTHORIZED' }],
    [403, refusing('FORBIDDEN'), { kind: 'auth', code: 'FORBIDDEN' }],
    [404, refusing('NOT_FOUND'), { kind: 'notFound', code: 'NOT_FOUND' }],
    [409, refusing('CONFLICT'), { kind: 'refused', code: 'CONFLICT' }],
    [429, refusing('RATE_LIMITED'), { kind: 'later', code: 'RATE_LIMITED' }],
    [400, refusing('INTERNAL_ERROR'), { kind: 'unknown', serviceCode: 'INTERNAL_ERROR' }],
    [500, refusing('BAD_REQUEST'), { kind: 'unknown', serviceCode: 'BAD_REQUEST' }],
    [399, refusing('BAD_REQUEST'), { kind: 'unknown' }],
    [401, 'go away', { kind: 'unknown' }],
    [429, 'slow down', { kind: 'unknown' }],
    [302, '', { kind: 'unknown' }],
    [200, good, { kind: 'unknown' }],
    [201, '', { kind: 'unknown' }],
    [201, refusing('CONFLICT'), { kind: 'unknown' }],
    [201, both, { kind: 'unknown', why: expect.stringContaining('which names chg_1, but proves nothing') }],
  ])('answered with %i %j', (status, body, said) => {
    expect(errorOf('POST', replied(status, body))).toMatchObject({ httpStatus: status, ...said });
  });

  it('is said to have had no effect only where the service itself refuses it', () => {
    fc.assert(
      fc.property(statuses, bodies, (status, body) => {
        const error = errorOf('POST', replied(status, body));
        if (error === null) expect([status, body]).toEqual([201, good]);
        else if (error.kind !== 'unknown') {
          expect([status >= 400 && status <= 499, refusals.includes(body)]).toEqual([true, true]);
        }
      }),
    );
  });

  it.each([
    [400, 'BAD_REQUEST', 'api.example.com says BAD_REQUEST: no. Nothing moved.'],
    [409, 'CONFLICT', 'api.example.com says CONFLICT: no.'],
    [400, 'BLOCKED_BY_PROXY', 'api.example.com says BLOCKED_BY_PROXY: no.'],
  ])('answered with %i %s is reported in words that are true', (status, code, words) => {
    expect(errorOf('POST', replied(status, refusing(code, 'no.')))?.message).toBe(words);
  });
});

const refusals = [refusing('BAD_REQUEST'), refusing('CONFLICT'), refusing('RATE_LIMITED')];
const statuses = fc.oneof(fc.integer({ min: 200, max: 599 }), fc.constantFrom(200, 201, 400, 429, 500));
const bodies = fc.constantFrom(
  ...refusals,
  good,
  refusing('INTERNAL_ERROR'),
  refusing('lower case'),
  good.replace('"data"', '"date"'),
  JSON.stringify({ error: 'BAD_REQUEST', success: false }),
  JSON.stringify({ error: 'BAD_REQUEST', message: 'no' }),
  '[]',
  'null',
  '',
  '<html>',
);
