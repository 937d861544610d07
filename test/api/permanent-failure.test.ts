import { describe, expect, it } from 'vitest';
import type { Reply } from '../../src/api/exchange.ts';
import { isPermanentFailure } from '../../src/api/permanent-failure.ts';

const reply = (status: number, body: unknown = '', headers: Reply['headers'] = {}): Reply => ({
  status,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
const list = { refersTo: 'nothing', success: 200, now: 0 } as const;
const failure = (error: string) => ({ error, message: 'no', success: false });

describe('a read that failed would fail in the same way later', () => {
  it.each([301, 308, 400, 403, 404, 405, 410, 422])('for %i to a call that names no record', (status) => {
    expect(isPermanentFailure(list, reply(status))).toBe(true);
    expect(isPermanentFailure(list, reply(status, failure('BAD_REQUEST')))).toBe(true);
  });

  it('for a success whose data do not fit the contract', () => {
    expect(
      isPermanentFailure({ success: 200, now: 0 }, reply(200, { data: 7, error: null, success: true })),
    ).toBe(true);
  });
});

describe('a read that failed may succeed later', () => {
  it.each([302, 401, 402, 408, 409, 423, 425, 429, 500, 503])('for %i', (status) => {
    expect(isPermanentFailure(list, reply(status))).toBe(false);
  });

  it.each([
    ['where the record may come to exist', { success: 200, now: 0 }, reply(404, failure('NOT_FOUND'))],
    ['where the cursor may have expired', { ...list, refersTo: 'page' } as const, reply(400)],
    ['where the answer says when to come again', list, reply(404, '', { 'retry-after': '3' })],
    ['where its code says that it passes', list, reply(400, failure('RATE_LIMITED'))],
    ['where its code says that the server failed', list, reply(400, failure('INTERNAL_ERROR'))],
    [
      'after a success with a web page, as of a portal',
      list,
      reply(200, '{}', { 'content-type': 'text/html' }),
    ],
    ['after a success that is cut off', list, reply(200, '{"data":')],
    ['after a success that says it failed', list, reply(200, failure('CONFLICT'))],
    [
      'after a success that names an error',
      list,
      reply(200, { data: [], error: 'INTERNAL_ERROR', success: true }),
    ],
  ])('%s', (_, read, answer) => {
    expect(isPermanentFailure(read, answer)).toBe(false);
  });
});
