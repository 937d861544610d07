/** Whatever is read as plain, `node:http` reads the same way; whatever is not, is left to it. */
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noFields, readPlainRequest } from '../../src/plain/request.ts';
import { listenOnLoopback } from '../support/listen-on-loopback.ts';

const read = (text: string, limit = 1_000) =>
  readPlainRequest(Buffer.from(text, 'latin1'), noFields(), limit);

const post = (lines: readonly string[], body = '{}') =>
  `POST /hook?x=1 HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;

describe('a plain request', () => {
  it('is read with its fields in their order and spelling, and its exact body', () => {
    const request = read(post(['Host: a', 'X-Odd:   two  words ', 'content-LENGTH: 2', 'x-odd: again']));
    expect(request).toMatchObject({
      method: 'POST',
      target: '/hook?x=1',
      fields: {
        all: [
          ['Host', 'a'],
          ['X-Odd', 'two  words'],
          ['content-LENGTH', '2'],
          ['x-odd', 'again'],
        ],
        length: 2,
        keepAlive: true,
      },
    });
    expect(typeof request === 'string' ? '' : request.body.toString()).toBe('{}');
  });

  it('is separated from what follows it', () => {
    const one = post(['Host: a', 'Content-Length: 2']);
    expect(read(one + one)).toMatchObject({ end: one.length });
  });

  it('asks for more while its body is not whole', () => {
    expect(read(post(['Host: a', 'Content-Length: 3']))).toBe('more');
  });

  it.each([
    ['a head that is not whole', 'POST / HTTP/1.1\r\nHost: a\r\n'],
    ['another method', 'PUT / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['another version', 'GET / HTTP/1.0\r\nHost: a\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\nAccept: */*\r\n\r\n'],
    ['an absolute target', 'GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a body of chunks', post(['Host: a', 'Transfer-Encoding: chunked'], '0\r\n\r\n')],
    ['two lengths', post(['Host: a', 'Content-Length: 2', 'Content-Length: 2'])],
    ['a length that is no number', post(['Host: a', 'Content-Length: 2, 2'])],
    ['a signed length', post(['Host: a', 'Content-Length: +2'])],
    ['a body above the limit', post(['Host: a', 'Content-Length: 1001'])],
    ['a question whether to send the body', post(['Host: a', 'Content-Length: 2', 'Expect: 100-continue'])],
    ['an upgrade', 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
    ['a folded field', post(['Host: a', 'X-A: 1', ' more', 'Content-Length: 2'])],
    ['a blank before the colon', post(['Host: a', 'X-A : 1', 'Content-Length: 2'])],
    ['a bare carriage return', post(['Host: a', 'X-A: 1\rX-B: 2', 'Content-Length: 2'])],
    ['a field of other bytes than ASCII', post(['Host: a', 'X-A: \xe9', 'Content-Length: 2'])],
    ['a GET with a body', 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}'],
  ])('is not one with %s', (_, text) => {
    expect(read(text)).toBe('other');
  });
});

describe('beside node:http', () => {
  interface Heard {
    readonly method: string;
    readonly target: string;
    readonly raw: readonly string[];
    readonly body: string;
  }
  let heard: Heard | null = null;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: target = '', rawHeaders: raw } = request;
      heard = { method, target, raw, body: Buffer.concat(chunks).toString('latin1') };
      response.setHeader('connection', 'close').end();
    });
  });
  beforeAll(() => listenOnLoopback(server));
  afterAll(() => server.close());

  /** What `node:http` makes of the same bytes; null when it refuses them. */
  function byNode(text: string): Promise<Heard | null> {
    heard = null;
    return new Promise((resolve) => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.on('error', () => {}).resume();
      socket.on('close', () => resolve(heard));
      socket.end(Buffer.from(text, 'latin1'));
    });
  }

  const line = fc.oneof(
    fc.constantFrom(
      'Host: a',
      'host:b',
      'Content-Length: 2',
      'content-length:  5 ',
      'Content-Length: 2x',
      'Connection: keep-alive',
      'Connection: close, te',
      'Content-Type: application/json',
      'X-A:',
      'X-A: \t a b \t',
      'Transfer-Encoding: chunked',
      ' folded',
      'X A: 1',
      ': nameless',
      'nocolon',
      'X-\x7f: 1',
      'X-N: \x00',
      'X-L: a\nb',
    ),
    fc.string({
      unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
      maxLength: 20,
    }),
  );
  const anyRequest = fc.record({
    first: fc.constantFrom(
      'POST /a?b=%20 HTTP/1.1',
      'GET / HTTP/1.1',
      'POST  / HTTP/1.1',
      'POST /\x80 HTTP/1.1',
      'GET / HTTP/2.0',
    ),
    lines: fc.array(line, { maxLength: 6 }).map((lines) => ['Host: a', ...lines]),
    body: fc.constantFrom('', '{}', '{"a"}', '{}GET / HTTP/1.1\r\nHost: a\r\n\r\n'),
  });

  it('reads each request on a connection as if it were the first', () => {
    fc.assert(
      fc.property(fc.array(anyRequest, { minLength: 2, maxLength: 6 }), (requests) => {
        const last = noFields();
        for (const { first, lines, body } of requests) {
          const text = `${first}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
          expect(readPlainRequest(Buffer.from(text, 'latin1'), last, 1_000)).toEqual(read(text));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads nothing in another way', async () => {
    let plain = 0;
    await fc.assert(
      fc.asyncProperty(anyRequest, async ({ first, lines, body }) => {
        const text = `${first}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
        const request = read(text);
        if (typeof request === 'string') return;
        plain += 1;
        const { method, target, fields, body: own } = request;
        const told = { method, target, raw: fields.all.flat(), body: own.toString('latin1') };
        expect(told).toEqual(await byNode(text.slice(0, request.end)));
      }),
      { numRuns: 1_500 },
    );
    expect(plain).toBeGreaterThan(50);
  });
});
