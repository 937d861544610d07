/** Posts to raw servers on loopback: what each kind of answer, and of silence, is told as. */
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createPost, type OutgoingPost } from '../../../src/listener/posting/post.ts';
import { listenOnLoopback } from '../../support/listen-on-loopback.ts';

let server: Server;
let close = () => {};
const open = new Set<Socket>();
afterEach(() => {
  close();
  for (const socket of open) socket.destroy();
  open.clear();
  server.close();
});

/** `answer` gets the number of the request on this server, and of its connection. */
async function setUp(
  answer: (socket: Socket, request: number, connection: number) => unknown,
  clock = systemClock,
) {
  const requests: string[] = [];
  let connections = 0;
  server = createServer((socket) => {
    const connection = ++connections;
    open.add(socket.on('error', () => {}));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      if (!text.endsWith('{"a":1}')) return;
      requests.push(text);
      text = '';
      answer(socket, requests.length, connection);
    });
  });
  const port = await listenOnLoopback(server);
  const created = createPost(clock, { connections: 2 });
  close = created.close;
  const send = (more: Partial<OutgoingPost> = {}) =>
    created.post({
      url: `http://127.0.0.1:${port}/hook?x=1`,
      body: Buffer.from('{"a":1}'),
      headers: [
        ['X-Odd-CASE', 'a, b'],
        ['Connection', 'close'],
        ['content-length', '99'],
      ],
      timeoutMs: 20_000,
      ...more,
    });
  const sent = async () => {
    const result = await send();
    return result.status === undefined ? result.error : `${result.status} ${Buffer.from(result.body)}`;
  };
  return { send, sent, requests, port, connections: () => connections };
}

const plain = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n';

describe('a post', () => {
  it('sends the headers as they came, except those of a connection, and the exact bytes', async () => {
    const { sent, requests, port } = await setUp((socket) => socket.write(plain));
    expect(await sent()).toBe('200 {}');
    expect(requests).toEqual([
      `POST /hook?x=1 HTTP/1.1\r\nX-Odd-CASE: a, b\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 7\r\nConnection: keep-alive\r\n\r\n{"a":1}`,
    ]);
  });

  it('reuses its connection', async () => {
    const { sent, connections } = await setUp((socket) => socket.write(plain));
    for (let round = 0; round < 3; round++) expect(await sent()).toBe('200 {}');
    expect(connections()).toBe(1);
  });

  it('reports facts if nobody listens', async () => {
    const { send } = await setUp(() => {});
    server.close();
    const gone = createServer();
    const port = await listenOnLoopback(gone);
    await new Promise((resolve) => gone.close(resolve));
    expect(await send({ url: `http://127.0.0.1:${port}/` })).toMatchObject({
      error: 'refused the connection',
      reached: false,
    });
  });
});

it.each(['localhost', 'shop.localhost', 'a.shop.localhost'])(
  'to %s goes to this machine, whatever a resolver says, under that name',
  async (name) => {
    const { send, requests, port } = await setUp((socket) => socket.write(plain));
    expect(await send({ url: `http://${name}:${port}/hook` })).toMatchObject({ status: 200 });
    expect(requests[0]).toContain(`\r\nHost: ${name}:${port}\r\n`);
  },
);

it('to an application that does not speak TLS says so', async () => {
  const { send, port } = await setUp(() => {});
  server.on('connection', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  expect(await send({ url: `https://127.0.0.1:${port}/` })).toMatchObject({
    error: 'does not speak TLS there (EPROTO)',
    reached: true,
  });
});

describe('an answer that is not plain', () => {
  it.each<[string, readonly string[], string]>([
    ['in chunks', [chunked], '200 {}'],
    ['byte by byte', [...plain], '200 {}'],
    ['after another status', ['HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n', plain], '200 {}'],
    ['that ends with its connection', ['HTTP/1.0 404 No\r\n\r\n', 'ab', 'cd', 'end'], '404 abcd'],
    [
      'of many bytes',
      [`HTTP/1.1 500 No\r\nContent-Length: 70000\r\n\r\n`, 'x'.repeat(70_000)],
      `500 ${'x'.repeat(65_536)}`,
    ],
    ['that is no HTTP', ['SSH-2.0-OpenSSH\r\n'], 'sent an answer that is not HTTP (HPE_INVALID_CONSTANT)'],
    [
      'as `puts` writes it',
      ['HTTP/1.1 200 OK\nContent-Length: 0\n\n'],
      'ended a line of its answer with LF alone; HTTP requires CR LF',
    ],
    ['that has a body with a 204', ['HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n{}'], '204 '],
    ['that is longer than it says', ['HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}{}'], '200 {}'],
    ['that breaks off', ['HTTP/1.1 200 OK\r\n', 'end'], 'closed the connection without an answer'],
    [
      'that breaks off in its body',
      ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\na', 'end'],
      'broke off its answer (ECONNRESET)',
    ],
  ])('%s is read even so, and requested once', async (_, pieces, expected) => {
    const { sent, requests } = await setUp(async (socket) => {
      for (const piece of pieces) {
        if (piece === 'end') socket.end();
        else await new Promise((resolve) => socket.write(piece, () => setImmediate(resolve)));
      }
    });
    expect(await sent()).toBe(expected);
    expect(requests).toHaveLength(1);
  });

  it('is no reason for a new connection each time', async () => {
    const { sent, requests, connections } = await setUp((socket) => socket.write(chunked));
    for (let round = 0; round < 4; round++) expect(await sent()).toBe('200 {}');
    expect(requests).toHaveLength(4);
    expect(connections()).toBe(2);
  });

  it('does not hold a post for longer than its time', async () => {
    const { send } = await setUp((socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'));
    expect(await send({ timeoutMs: 20 })).toMatchObject({ error: 'did not answer within 0.02 s' });
  });
});

describe('a kept connection', () => {
  it('closed by the application meanwhile costs nothing: the request is repeated once on a new one', async () => {
    const { sent, requests } = await setUp((socket, request, connection) => {
      if (request > 1 && connection === 1) socket.destroy();
      else socket.write(plain);
    });
    expect([await sent(), await sent()]).toEqual(['200 {}', '200 {}']);
    expect(requests).toHaveLength(3);
  });

  // In chunks: from the first answer on `node:http` asks, and the second request is the first on its new connection.
  it.each([
    ['of `node:http`, closed meanwhile: repeated too', 3, '200 {}', 4],
    ['is none while it is new: not repeated', 2, 'closed the connection without an answer', 2],
  ])('%s', async (_, closedAt, expected, count) => {
    const { sent, requests } = await setUp((socket, request) => {
      if (request === closedAt) socket.destroy();
      else socket.write(request === 1 ? chunked : plain);
    });
    for (let request = 1; request < closedAt; request++) expect(await sent()).toBe('200 {}');
    expect(await sent()).toBe(expected);
    expect(requests).toHaveLength(count);
  });

  it('reset in the middle of an answer leads to no repeat: the application has read the request', async () => {
    // In chunks: from the first answer on `node:http` asks, which has made a new connection for the second.
    const answers = [chunked, plain, plain.slice(0, -1), plain];
    const { sent } = await setUp((socket, request) =>
      socket.write(answers[request - 1] ?? '', () => request === 3 && socket.resetAndDestroy()),
    );
    const told = [await sent(), await sent(), await sent()];
    expect(told).toEqual(['200 {}', '200 {}', 'broke off its answer (ECONNRESET)']);
  });

  it('leads to no third request', async () => {
    const { sent, requests } = await setUp((socket, request) => {
      if (request > 1) socket.destroy();
      else socket.write(plain);
    });
    expect([await sent(), await sent()]).toEqual([
      '200 {}',
      'closed the connection without an answer; asked again, it closed the connection without an answer',
    ]);
    expect(requests).toHaveLength(3);
  });

  it('closed by an application that held the request for seconds leads to no repeat: it has read it', async () => {
    let now = 0;
    const clock = { ...systemClock, monotonic: () => now };
    const { sent, send, requests } = await setUp((socket, request) => {
      if (request > 1) {
        now += 6_000;
        socket.destroy();
      } else socket.write(plain);
    }, clock);
    expect(await sent()).toBe('200 {}');
    expect(await send()).toEqual({
      error: 'closed the connection without an answer',
      ms: 6_000,
      reached: true,
    });
    expect(requests).toHaveLength(2);
  });
});

describe('an answer that does not end', () => {
  it.each([
    ['of a length', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'],
    ['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n'],
  ])('%s is distinguished from no answer', async (_, text) => {
    const { send } = await setUp((socket) => socket.write(text));
    const error = async () => (await send({ timeoutMs: 200 })).error;
    await expect.poll(error).toBe('did not finish its answer within 0.2 s');
  });
});

describe('another protocol', () => {
  it('that was not requested is reported by its status', async () => {
    const { sent } = await setUp((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    );
    expect(await sent()).toBe('101 ');
  });
});

describe('an application that does not answer', () => {
  it('without end counts by its status, and is read no further', async () => {
    const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const { send } = await setUp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const goOn = () => {
        while (!socket.destroyed && socket.write(piece));
      };
      socket.on('drain', goOn);
      goOn();
    });
    const { status, body } = (await send()) as { status: number; body: Uint8Array };
    expect([status, body.byteLength]).toEqual([200, 65_536]);
    await expect.poll(() => [...open].every((socket) => socket.destroyed)).toBe(true);
  });

  it('is given up on after its time', async () => {
    let silent = true;
    const { send, sent } = await setUp((socket) => void (silent || socket.write(plain)));
    expect(await send({ timeoutMs: 20 })).toMatchObject({ error: 'did not answer within 0.02 s' });
    silent = false;
    expect(await sent()).toBe('200 {}');
  });

  it('is given up on when everything ends, and its connection is closed', async () => {
    const { send, sent, requests, connections } = await setUp((socket, request) => {
      if (request > 1) socket.write(plain);
    });
    const ending = new AbortController();
    const result = send({ signal: ending.signal });
    await expect.poll(() => requests.length).toBe(1);
    ending.abort();
    expect(await result).toMatchObject({ error: 'had not answered when pixctl stopped', reached: true });
    expect(await sent()).toBe('200 {}');
    expect(connections()).toBe(2);
  });
});
