/** Whatever is read as a plain answer, `node:http` reads the same way; whatever is not, is left to it. */
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPlainAnswer } from '../../src/plain/read-answer.ts';
import { listenOnLoopback } from '../support/listen-on-loopback.ts';

const read = (text: string, limit = 1_000) => readPlainAnswer(Buffer.from(text, 'latin1'), limit);
const answer = (lines: readonly string[], body = '{}', status = '200 OK') =>
  `HTTP/1.1 ${status}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n${body}`;

describe('a plain answer', () => {
  it.each([
    ['with a length', answer(['Content-Length: 2']), { status: 200, end: 40, keptMs: null }],
    ['of no bytes', answer(['Content-Length: 0'], ''), { status: 200, end: 38, keptMs: null }],
    ['204, without a length', answer([], '', '204 No Content'), { status: 204, end: 27, keptMs: null }],
    ['without words', answer(['Content-Length: 0'], '', '500 '), { status: 500, end: 36, keptMs: null }],
    ['that closes', answer(['Content-Length: 2', 'Connection: close']), { status: 200, end: 59, keptMs: 0 }],
    [
      'that says how long it is kept',
      answer(['content-length: 2', 'Connection: Keep-Alive', 'Keep-Alive: timeout=5, max=9']),
      { status: 200, end: 94, keptMs: 5_000 },
    ],
  ])('%s is read', (_, text, expected) => {
    expect(read(text)).toMatchObject(expected);
  });

  it('is separated from what follows it', () => {
    const found = read(`${answer(['Content-Length: 2'], 'ab')}cd`);
    expect(typeof found === 'string' ? found : found.body.toString()).toBe('ab');
  });

  it('asks for more while its body is not whole', () => {
    expect(read(answer(['Content-Length: 3']))).toBe('more');
  });

  it.each([
    ['a head that is not whole', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n'],
    ['another version', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}'],
    ['another protocol', 'ICY 200 OK\r\nContent-Length: 2\r\n\r\n{}'],
    ['a status before the last', answer(['Content-Length: 0'], '', '103 Early Hints')],
    ['no length', answer([])],
    ['a body in chunks', answer(['Transfer-Encoding: chunked'], '0\r\n\r\n')],
    ['chunks and a length', answer(['Content-Length: 2', 'Transfer-Encoding: chunked'])],
    ['two lengths', answer(['Content-Length: 2', 'Content-Length: 2'])],
    ['a length that is no number', answer(['Content-Length: 2, 2'])],
    ['an empty length', answer(['Content-Length:'])],
    ['a signed length', answer(['Content-Length: +2'])],
    ['a body above the limit', answer(['Content-Length: 1001'])],
    ['204 and a body', answer(['Content-Length: 2'], '{}', '204 No Content')],
    ['an upgrade', answer(['Content-Length: 2', 'Connection: Upgrade', 'Upgrade: h2c'])],
    ['a folded field', answer(['X-A: 1', ' more', 'Content-Length: 2'])],
    ['a blank before the colon', answer(['Content-Length : 2'])],
    ['a bare line feed', answer(['X-A: 1\nX-B: 2', 'Content-Length: 2'])],
    ['other bytes than ASCII', answer(['X-A: \xe9', 'Content-Length: 2'])],
  ])('is not one with %s', (_, text) => {
    expect(read(text)).toBe('other');
  });
});

describe('beside node:http', () => {
  let bytes = '';
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.from(bytes, 'latin1')));
  });
  beforeAll(() => listenOnLoopback(server));
  afterAll(() => server.close());

  /** What `node:http` makes of the same bytes; null when it refuses them. */
  function byNode(text: string): Promise<{ status: number; body: string } | null> {
    bytes = text;
    const { port } = server.address() as AddressInfo;
    return new Promise((resolve) => {
      const post = request({ port, host: '127.0.0.1', method: 'POST', agent: false }, (incoming) => {
        let body = '';
        incoming.setEncoding('latin1').on('data', (chunk) => {
          body += chunk;
        });
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body }));
        incoming.on('error', () => resolve(null));
      });
      post.on('error', () => resolve(null));
      post.end('{}');
    });
  }

  const line = fc.oneof(
    fc.constantFrom(
      'Content-Length: 2',
      'content-length:  5 ',
      'Content-Length: 2x',
      'Content-Length:',
      'Connection: keep-alive',
      'Connection: close',
      'Connection: close, te',
      'Keep-Alive: timeout=5',
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
  const anyAnswer = fc.record({
    status: fc.constantFrom('200 OK', '204 No Content', '304 ', '500', '404 \x80', '100 Continue', '099 x'),
    lines: fc.array(line, { maxLength: 5 }).map((lines) => ['Content-Length: 2', ...lines]),
    body: fc.constantFrom('', '{}', '{"a"}', '{}HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n'),
  });

  it('reads nothing in another way', async () => {
    await fc.assert(
      fc.asyncProperty(anyAnswer, fc.nat(6), async ({ status, lines, body }, dropped) => {
        const text = answer(dropped === 0 ? lines.slice(1) : lines, body, status);
        const found = read(text);
        if (typeof found === 'string') return;
        expect({ status: found.status, body: found.body.toString('latin1') }).toEqual(
          await byNode(text.slice(0, found.end)),
        );
      }),
      { numRuns: 400 },
    );
  });
});
