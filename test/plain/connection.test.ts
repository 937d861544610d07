/** A connection over a real socket: plain requests are answered here, anything else is handed over with its bytes. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Headers } from '../../src/plain/answer.ts';
import { answerText } from '../../src/plain/answer-text.ts';
import { type Connection, serveConnection } from '../../src/plain/connection.ts';
import { listenOnLoopback } from '../support/listen-on-loopback.ts';

const post = (body: string, more = '') =>
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
const answered = (body: string, more: string) =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n${more}\r\n${body}`;
const kept = 'Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n';
const closed = 'Connection: close\r\n';

let server: Server | null = null;
afterEach(() => {
  server?.close();
  server = null;
});

async function setUp({ unreadable = null as string | null, requestTimeoutMs = 5_000 } = {}) {
  const bodies: string[] = [];
  const replies: ((status: number, headers: Headers, body: string) => void)[] = [];
  const left: string[] = [];
  const clock = { now: 0 };
  let connection: Connection | null = null;
  let there: Socket | null = null;
  server = createServer({ allowHalfOpen: true }, (socket) => {
    there = socket;
    connection = serveConnection(
      {
        serve({ body }, exchange) {
          bodies.push(body.toString());
          replies.push((...answer) => answerText(exchange, ...answer));
        },
        needsNodeHttp: ({ target }) => target !== '/',
        handOver(it: Socket, unread) {
          left.push(unread.toString());
          it.destroy();
        },
        unreadable,
        bodyLimit: 100,
        requestTimeoutMs,
        keepAliveSeconds: 5,
        now: () => clock.now,
      },
      socket,
    );
  });
  const port = await listenOnLoopback(server);
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let got = '';
  client.setEncoding('latin1').on('data', (chunk: string) => {
    got += chunk;
  });
  client.on('error', () => {});
  const gone = new Promise<void>((resolve) => client.on('close', () => resolve()));
  const ended = new Promise<void>((resolve) => client.on('end', () => resolve()));
  const until = async (fits: () => boolean) => {
    while (!fits()) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    client,
    bodies,
    replies,
    left,
    clock,
    gone,
    ended,
    until,
    got: () => got,
    end: () => void connection?.end(),
    server: () => there as Socket,
  };
}

describe('a plain connection', () => {
  it('answers one request after another, in order, however they come', async () => {
    const { client, bodies, replies, until, got } = await setUp();
    client.write(post('one') + post('two').slice(0, -1));
    await until(() => replies.length === 1);
    client.write('o');
    replies[0]?.(200, {}, 'first');
    await until(() => replies.length === 2);
    replies[1]?.(200, {}, 'second');
    const both = answered('first', kept) + answered('second', kept);
    await until(() => got().length >= both.length);
    expect({ bodies, got: got() }).toEqual({ bodies: ['one', 'two'], got: both });
    client.destroy();
  });

  it('answers a client that has sent everything, and then ends', async () => {
    const { client, replies, until, got, ended } = await setUp();
    client.end(post('one'));
    await until(() => replies.length === 1);
    replies[0]?.(200, {}, 'ok');
    await ended;
    expect(got()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nok$/);
  });

  it('answers all that came before its client had said all', async () => {
    const { client, replies, until, got, ended } = await setUp();
    client.end(post('one') + post('two'));
    await until(() => replies.length === 1);
    await until(() => client.writableFinished);
    replies[0]?.(200, {}, 'first');
    await until(() => replies.length === 2);
    replies[1]?.(200, {}, 'second');
    await ended;
    expect(got()).toMatch(/\r\n\r\nfirstHTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nsecond$/);
  });

  it.each([
    [204, 'No Content'],
    [304, 'Not Modified'],
  ])('sends no body with %d: it would be taken for the next answer', async (status, words) => {
    const { client, replies, until, got } = await setUp();
    client.write(post('one'));
    await until(() => replies.length === 1);
    replies[0]?.(status, {}, 'ok');
    await until(() => got().endsWith('\r\n\r\n'));
    client.write(post('two'));
    await until(() => replies.length === 2);
    replies[1]?.(200, {}, 'second');
    await until(() => got().endsWith('second'));
    expect(got()).toBe(
      `HTTP/1.1 ${status} ${words}\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n${kept}\r\n${answered('second', kept)}`,
    );
    client.destroy();
  });

  // Windows takes an answer of any size from us at once, read or not.
  it.skipIf(process.platform === 'win32')(
    'takes the next request once the client has read the last answer',
    async () => {
      const { client, replies, until, got, server } = await setUp();
      client.pause();
      client.write(post('one') + post('two'));
      await until(() => replies.length === 1);
      replies[0]?.(200, {}, 'x'.repeat(64 * 1024 * 1024));
      expect({ taken: replies.length, unread: server().writableLength > 0 }).toEqual({
        taken: 1,
        unread: true,
      });
      client.resume();
      await until(() => replies.length === 2);
      expect(server().writableLength).toBe(0);
      replies[1]?.(200, {}, 'second');
      await until(() => got().endsWith('second'));
      client.destroy();
    },
  );

  it('closes after the answer when the client asks for it', async () => {
    const { client, replies, until, got, ended } = await setUp();
    client.write(post('one', 'Connection: close\r\n'));
    await until(() => replies.length === 1);
    replies[0]?.(200, {}, 'ok');
    await ended;
    expect(got()).toBe(answered('ok', closed));
    client.destroy();
  });

  it('hands what is not plain over with every byte, also after plain ones', async () => {
    const { client, replies, until, left, ended } = await setUp();
    const other = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n';
    client.write(post('one') + other);
    await until(() => replies.length === 1);
    replies[0]?.(200, {}, 'ok');
    await ended;
    client.destroy();
    expect(left).toEqual([other]);
  });

  it('told to end, does so at once where nothing is under way', async () => {
    const { client, replies, until, end, ended, got } = await setUp();
    client.write(post('one'));
    await until(() => replies.length === 1);
    replies[0]?.(200, {}, 'ok');
    await until(() => got().endsWith('ok'));
    end();
    await ended;
    expect(got()).toBe(answered('ok', kept));
    client.destroy();
  });

  it('told to end, lets the request under way be answered', async () => {
    const { client, replies, until, got, end, ended } = await setUp();
    client.write(post('one'));
    await until(() => replies.length === 1);
    end();
    replies[0]?.(200, {}, 'ok');
    await ended;
    expect(got()).toBe(answered('ok', closed));
    client.destroy();
  });

  it('gives up a client that sends a body drop by drop for longer than a request may take', async () => {
    const { client, clock, gone, bodies, until } = await setUp();
    let over = false;
    void gone.then(() => {
      over = true;
    });
    client.write(post('0123456789').slice(0, -9));
    const drops = setInterval(() => {
      clock.now += 2_000;
      client.write('');
      if (clock.now < 16_000) client.write('x');
    }, 5);
    await until(() => over);
    clearInterval(drops);
    expect(bodies).toEqual([]);
  });

  it('gives a client that says nothing a moment to read why it ends, and no more', async () => {
    const { client, until, server } = await setUp({
      unreadable: 'HTTP/1.1 400 Bad Request\r\n\r\n',
      requestTimeoutMs: 20,
    });
    client.pause();
    await until(() => server()?.writableEnded === true);
    expect(server().timeout).toBe(2_000);
    client.destroy();
  });

  it('says nothing to a client that has gone, and is not harmed by a second answer', async () => {
    const { client, replies, until, gone, got } = await setUp();
    client.write(post('one'));
    await until(() => replies.length === 1);
    replies[0]?.(200, {}, 'ok');
    replies[0]?.(500, {}, 'again');
    await until(() => got().endsWith('ok'));
    client.destroy();
    await gone;
    expect(got()).toBe(answered('ok', kept));
  });
});
