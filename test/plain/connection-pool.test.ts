/** Kept connections to a real server on loopback that answers as each test says. */
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type ConnectionPool, createConnectionPool } from '../../src/plain/connection-pool.ts';
import { listenOnLoopback } from '../support/listen-on-loopback.ts';

const ok = (body = '{}', more = '') =>
  `HTTP/1.1 200 OK\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;

let server: Server;
let pool: ConnectionPool;
const sockets: Socket[] = [];
afterEach(() => {
  pool.end();
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

/** `answer` is called with each whole piece that arrives, on the connection of that number. */
async function setUp(
  answer: (socket: Socket, text: string, number: number) => void,
  most = 4,
  idleMs = 4_000,
) {
  server = createServer((socket) => {
    const number = sockets.push(socket);
    socket.on('error', () => {}).on('data', (chunk) => answer(socket, chunk.toString(), number));
  });
  const port = await listenOnLoopback(server);
  pool = createConnectionPool({ host: '127.0.0.1', port, most, idleMs, answerLimit: 1_000 });
}

interface Heard {
  readonly kind: 'answer' | 'other' | 'lost';
  readonly text?: string;
  readonly how?: unknown;
  readonly socket?: Socket;
}

const ask = (text: string) =>
  new Promise<Heard>((resolve) => {
    pool.ask(Buffer.from(text), {
      answer: ({ body }) => resolve({ kind: 'answer', text: body.toString() }),
      other: (socket, unread) => resolve({ kind: 'other', text: unread.toString(), socket }),
      lost: (_cause, how) => resolve({ kind: 'lost', how }),
    });
  });

const closed = (socket: Socket | undefined) =>
  new Promise<void>((resolve) => (socket?.closed ? resolve() : socket?.once('close', () => resolve())));

describe('kept connections', () => {
  it('carry one exchange after another', async () => {
    await setUp((socket, text, number) => socket.write(ok(`${text} on ${number}`)));
    expect((await ask('a')).text).toBe('a on 1');
    expect((await ask('b')).text).toBe('b on 1');
  });

  it('are opened as they are needed, up to the most; whoever comes then waits', async () => {
    const asked: [Socket, string][] = [];
    await setUp((socket, text) => asked.push([socket, text]), 2);
    const all = ['a', 'b', 'c'].map(ask);
    await expect.poll(() => asked.length).toBe(2);
    expect(sockets).toHaveLength(2);
    for (const [socket, text] of asked.splice(0)) socket.write(ok(text));
    await expect.poll(() => asked.length).toBe(1);
    for (const [socket, text] of asked) socket.write(ok(text));
    expect((await Promise.all(all)).map(({ text }) => text)).toEqual(['a', 'b', 'c']);
    expect(sockets).toHaveLength(2);
  });

  it('read an answer that comes in pieces', async () => {
    await setUp((socket) => {
      const text = ok('0123456789');
      socket.write(text.slice(0, -5), () => setImmediate(() => socket.write(text.slice(-5))));
    });
    expect((await ask('a')).text).toBe('0123456789');
  });

  it('are not used again when the server says that it closes', async () => {
    await setUp((socket, _, number) => socket.write(ok(String(number), 'Connection: close\r\n')));
    expect((await ask('a')).text).toBe('1');
    expect((await ask('b')).text).toBe('2');
  });

  it('are not used again when the server keeps them for no longer than a moment', async () => {
    await setUp((socket, _, number) => socket.write(ok(String(number), 'Keep-Alive: timeout=1\r\n')));
    expect((await ask('a')).text).toBe('1');
    expect((await ask('b')).text).toBe('2');
  });

  it('are not used again when more came than was asked for', async () => {
    await setUp((socket, _, number) => socket.write(`${ok(String(number))}${ok('more')}`));
    expect((await ask('a')).text).toBe('1');
    expect((await ask('b')).text).toBe('2');
  });

  it('are closed when something comes that nobody asked for', async () => {
    await setUp((socket, text) => {
      socket.write(ok(text), () => setImmediate(() => socket.write('unasked')));
    });
    await ask('a');
    await closed(sockets[0]);
    expect((await ask('b')).text).toBe('b');
    expect(sockets).toHaveLength(2);
  });

  it('are closed after a while without use', async () => {
    await setUp((socket, text) => socket.write(ok(text)), 1, 10);
    await ask('a');
    await closed(sockets[0]);
    expect((await ask('b')).text).toBe('b');
  });

  it('make room for who waits when one is lost', async () => {
    await setUp((socket, text) => (text === 'a' ? socket.destroy() : socket.write(ok(text))), 1);
    const [first, second] = await Promise.all([ask('a'), ask('b')]);
    expect(first).toMatchObject({ kind: 'lost', how: { begun: false, kept: false } });
    expect(second.text).toBe('b');
  });
});

describe('a connection that breaks', () => {
  it('before an answer, after one, says that it had been kept', async () => {
    await setUp((socket, text) => (text === 'b' ? socket.destroy() : socket.write(ok(text))));
    await ask('a');
    expect(await ask('b')).toMatchObject({ kind: 'lost', how: { begun: false, kept: true } });
  });

  it('within an answer, says so', async () => {
    await setUp((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'));
    expect(await ask('a')).toMatchObject({ kind: 'lost', how: { begun: true, kept: false } });
  });
});

describe('an answer that is not plain', () => {
  it('is handed over with its connection and every byte, and another one takes what waits', async () => {
    await setUp((socket, text) => socket.write(text === 'a' ? 'HTTP/1.1 100 Continue\r\n\r\n' : ok(text)), 1);
    const [first, second] = await Promise.all([ask('a'), ask('b')]);
    expect(first).toMatchObject({ kind: 'other', text: 'HTTP/1.1 100 Continue\r\n\r\n' });
    expect(second.text).toBe('b');
    sockets[0]?.write('later');
    first.socket?.resume();
    const later = await new Promise((resolve) =>
      first.socket?.once('data', (chunk) => resolve(String(chunk))),
    );
    expect(later).toBe('later');
    first.socket?.destroy();
  });
});

describe('an exchange that is left', () => {
  it('reports nothing more, and its connection is ended', async () => {
    await setUp(() => {});
    const told: string[] = [];
    const tell = (what: string) => () => void told.push(what);
    const asked = pool.ask(Buffer.from('a'), {
      answer: tell('answer'),
      other: tell('other'),
      lost: tell('lost'),
    });
    await expect.poll(() => asked.reached()).toBe(true);
    await expect.poll(() => sockets.length).toBe(1);
    asked.leave();
    await closed(sockets[0]);
    expect(told).toEqual([]);
  });

  it('while it waits for a connection, is never sent', async () => {
    const got: string[] = [];
    let first: Socket | null = null;
    await setUp((socket, text) => {
      got.push(text);
      if (text === 'a') first = socket;
      else socket.write(ok(text));
    }, 1);
    const a = ask('a');
    const never = () => expect.unreachable();
    const left = pool.ask(Buffer.from('b'), { answer: never, other: never, lost: never });
    const c = ask('c');
    await expect.poll(() => first).not.toBeNull();
    expect(left.reached()).toBe(false);
    left.leave();
    (first as unknown as Socket).write(ok('a'));
    await Promise.all([a, c]);
    expect(got).toEqual(['a', 'c']);
  });
});

describe('the end', () => {
  it('is reported to everybody who was waiting', async () => {
    await setUp(() => {}, 1);
    const all = [ask('a'), ask('b')];
    await expect.poll(() => sockets.length).toBe(1);
    pool.end();
    expect((await Promise.all(all)).map(({ kind }) => kind)).toEqual(['lost', 'lost']);
  });
});
