/** What is sent to the documented plane by mistake or on purpose: a refusal in the envelope, never a crash. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Served, serve } from '../support/over-http.ts';

type Body = NonNullable<RequestInit['body']>;

const create = (sandbox: Served, body: Body, headers: Record<string, string> = {}) =>
  sandbox.send('POST', '/transparents/create', {
    headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json', ...headers },
    body,
  });

/** Bytes of our own making, and all that comes back until the connection ends. */
async function raw(sandbox: Served, bytes: string | Buffer): Promise<string> {
  const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}

describe('a body', () => {
  it.each([
    ['not JSON', '{"method":'],
    ['empty', ''],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['two values', '{}{}'],
    ['with a comment', '{} // hello'],
  ])('that is %s is 400 VALIDATION_ERROR', async (_, body) => {
    const sandbox = await serve();
    const reply = await create(sandbox, body);
    expect([reply.status, reply.body.error]).toEqual([400, 'VALIDATION_ERROR']);
    expect(reply.headers.get('x-sandbox-assumption')).toBe('body-syntax-code');
  });

  it('that a client has compressed is refused by that name', async () => {
    const sandbox = await serve();
    const zipped = gzipSync('{"method":"PIX","amount":500}');
    const { status, body } = await create(sandbox, zipped, { 'content-encoding': 'gzip' });
    expect([status, body.message]).toEqual([
      400,
      'body: is compressed with gzip; it must be JSON that is not compressed',
    ]);
  });

  it('that claims to be compressed is refused, whatever it is, except with identity', async () => {
    const sandbox = await serve();
    const sent = (coding: string) =>
      create(sandbox, '{"method":"PIX","amount":500}', { 'content-encoding': coding });
    const { status, body } = await sent('br');
    expect([status, body.message]).toEqual([
      400,
      'body: is compressed with br; it must be JSON that is not compressed',
    ]);
    expect((await sent('identity')).status).toBe(201);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'multipart/form-data'])(
    'of type %s is 400 VALIDATION_ERROR',
    async (type) => {
      const sandbox = await serve();
      const reply = await create(sandbox, '{"method":"PIX","amount":500}', { 'content-type': type });
      expect([reply.status, reply.body.error]).toEqual([400, 'VALIDATION_ERROR']);
      expect(reply.body.message).toBe('Content-Type: must be application/json');
    },
  );

  it('of type application/json may name its charset', async () => {
    const sandbox = await serve();
    const type = 'Application/JSON; charset=utf-8';
    expect((await create(sandbox, '{"method":"PIX","amount":500}', { 'content-type': type })).status).toBe(
      201,
    );
  });

  it.each(['[]', '"text"', '1', 'null', 'true'])(
    'that is %s and no object is 400 VALIDATION_ERROR',
    async (body) => {
      const sandbox = await serve();
      const reply = await create(sandbox, body);
      expect([reply.status, reply.body.error]).toEqual([400, 'VALIDATION_ERROR']);
      expect(reply.body.message).toBe('body: must be a JSON object');
    },
  );

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'with a property %s is refused for it',
    async (name) => {
      const sandbox = await serve();
      const reply = await create(sandbox, `{"method":"PIX","amount":500,"${name}":{"amount":1}}`);
      expect([reply.status, reply.body.error]).toEqual([400, 'VALIDATION_ERROR']);
      expect(reply.body.message).toBe(`${name}: is not an allowed property`);
      expect(({} as Record<string, unknown>).amount).toBeUndefined();
    },
  );

  it('that nests deeply is refused, and the sandbox goes on', async () => {
    const sandbox = await serve();
    const deep = `{"method":"PIX","amount":500,"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    expect((await create(sandbox, deep)).status).toBe(400);
    expect((await create(sandbox, '{"method":"PIX","amount":500}')).status).toBe(201);
  });

  it('may have 64 KiB, and not a byte more', async () => {
    const sandbox = await serve();
    const of = (bytes: number) => {
      const frame = '{"method":"PIX","amount":500,"pad":""}';
      return frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`);
    };
    expect((await create(sandbox, of(65_536))).body.message).toBe('pad: is not an allowed property');
    expect((await create(sandbox, of(65_537))).body.message).toBe('body: must be at most 65536 bytes');
  });

  it('that is too large is refused at once even without a declared length and without an end', async () => {
    const sandbox = await serve({ requestTimeoutMs: 200 });
    const head = `POST /withdrawals HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${sandbox.apiKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const answer = await raw(sandbox, `${head}${'4000\r\n'.concat('x'.repeat(0x4000), '\r\n').repeat(8)}`);
    expect(answer).toContain('HTTP/1.1 400');
    expect(answer).toContain('body: must be at most 65536 bytes');
  });

  it.each([
    ['too large', 'application/json'],
    ['of another type', 'text/plain'],
  ])(
    'that is %s is refused even to a client that reads nothing before it has sent everything',
    async (_, type) => {
      const sandbox = await serve();
      const length = 8 * 1024 * 1024;
      const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1').pause();
      const head = `POST /transparents/create HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${sandbox.apiKey}\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
      const failed = new Promise((resolve) => socket.on('error', resolve));
      const sent = new Promise((resolve) => socket.write(head + ' '.repeat(length), resolve));
      expect((await Promise.race([failed, sent])) ?? null).toBeNull();
      let text = '';
      for await (const chunk of socket) text += String(chunk);
      expect(text).toMatch(/^HTTP\/1\.1 400 [\s\S]*"error":"VALIDATION_ERROR"/);
    },
  );

  it('that does not arrive in time ends the connection with 400', async () => {
    const sandbox = await serve({ requestTimeoutMs: 200 });
    const answer = await raw(
      sandbox,
      `POST /withdrawals HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    expect(answer).toContain('HTTP/1.1 400');
    expect(answer).toContain('"error":"VALIDATION_ERROR"');
  });

  it('that does not arrive in time is not processed when its rest comes after all', async () => {
    const sandbox = await serve({ requestTimeoutMs: 200 });
    const charge = '{"method":"PIX","amount":500}';
    const head = `POST /transparents/create HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${sandbox.apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${charge.length}\r\n\r\n`;
    const socket = connect({
      port: Number(new URL(sandbox.url).port),
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    socket.on('error', () => {});
    socket.write(head + charge.slice(0, -5));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toContain('HTTP/1.1 400');
    // Whether it is still there to take them, or has closed meanwhile.
    const gone = new Promise((resolve) => socket.once('close', resolve));
    socket.resume().end(charge.slice(-5));
    await gone;
    const { body } = await sandbox.get('/transparents/list');
    expect(body.data).toEqual([]);
  });
});

describe('a request', () => {
  it('with two keys has none, whichever of them is good', async () => {
    const sandbox = await serve();
    const good = `Authorization: Bearer ${sandbox.apiKey}\r\n`;
    const bad = 'Authorization: Bearer svc_sandbox_none\r\n';
    for (const keys of [good + bad, bad + good, good + good]) {
      const head = `GET /transparents/list HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${keys}\r\n`;
      expect(await raw(sandbox, head)).toMatch(/^HTTP\/1\.1 401 /);
    }
  });

  it.each(['/transparents/list', '/__sandbox/openapi.json'])(
    'to %s without a Host is refused in the envelope, and the connection closed',
    async (target) => {
      const sandbox = await serve();
      const answer = await raw(
        sandbox,
        `GET ${target} HTTP/1.1\r\nAuthorization: Bearer ${sandbox.apiKey}\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(answer).toContain('X-Sandbox-Assumption: body-syntax-code\r\n');
      expect(answer).toContain('Connection: close\r\n');
      expect(answer.split('\r\n\r\n')[1]).toBe(
        '{"error":"VALIDATION_ERROR","message":"the header Host is missing, which HTTP/1.1 requires","success":false}',
      );
    },
  );

  it('of HTTP/1.0 needs no Host', async () => {
    const sandbox = await serve();
    const head = `GET /transparents/list HTTP/1.0\r\nAuthorization: Bearer ${sandbox.apiKey}\r\n\r\n`;
    expect(await raw(sandbox, head)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it('that is no HTTP is answered 400 and closed', async () => {
    const sandbox = await serve();
    expect(await raw(sandbox, 'HELLO\r\n\r\n')).toContain('HTTP/1.1 400');
    expect((await sandbox.get('/withdrawals')).status).toBe(200);
  });

  it.each([
    ['GET', '/'],
    ['GET', '/nope'],
    ['PUT', '/withdrawals'],
    ['PATCH', '/customers/cust_1'],
    ['DELETE', '/customers/cust_1'],
    ['GET', '/transparents/create'],
    ['POST', '/transparents/list'],
    ['GET', '/transparents/list/'],
    ['GET', '/Transparents/list'],
    ['GET', '//transparents/list'],
    ['GET', '/customers/'],
    ['GET', '/customers/a/b'],
    ['GET', '/customers/%E0%A4%A'],
    ['GET', '/webhooks/wh_1'],
    ['GET', '/__sandboxes'],
    ['OPTIONS', '/withdrawals'],
  ])('%s %s, which the document does not show, is 404 NOT_FOUND', async (method, path) => {
    const sandbox = await serve();
    const { status, body, headers } = await sandbox.send(method, path, {
      headers: { authorization: `Bearer ${sandbox.apiKey}` },
    });
    expect([status, body.error]).toEqual([404, 'NOT_FOUND']);
    expect(headers.get('x-sandbox-assumption')).toBe('unknown-route');
  });

  it('with CONNECT is a route that the document does not show, and nothing is connected', async () => {
    const sandbox = await serve();
    const ask = (head: string) => raw(sandbox, `CONNECT shop.example:443 HTTP/1.1\r\nHost: x\r\n${head}\r\n`);
    expect(await ask('')).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n(.+\r\n)*\r\n\{"error":"UNAUTHORIZED",/);
    const answer = await ask(`Authorization: Bearer ${sandbox.apiKey}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
    expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n');
    expect(answer.split('\r\n\r\n')[1]).toBe(
      '{"error":"NOT_FOUND","message":"CONNECT shop.example:443 does not exist","success":false}',
    );
    expect(sandbox.requests()[0]).toMatchObject({ method: 'CONNECT', status: 404 });
  });

  it('may name the whole address, as one to a proxy does', async () => {
    const sandbox = await serve();
    const ask = (method: string, target: string, rest = '\r\n') =>
      raw(
        sandbox,
        `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${sandbox.apiKey}\r\nConnection: close\r\n${rest}`,
      );
    const charge = '{"method":"PIX","amount":500}';
    const body = `Content-Type: application/json\r\nContent-Length: ${charge.length}\r\n\r\n${charge}`;
    expect(await ask('POST', `${sandbox.url}/transparents/create`, body)).toContain('HTTP/1.1 201');
    expect(await ask('GET', `${sandbox.url}/transparents/list?limit=1`)).toContain('"amount":500');
    expect(await ask('GET', 'HTTP://x/transparents/list/')).toContain(
      'GET /transparents/list/ does not exist',
    );
    // What drives the world is asked for by its path only.
    expect(await ask('GET', `${sandbox.url}/__sandbox/assumptions`)).toContain('HTTP/1.1 404');
  });

  it('with a query parameter that is not listed is refused for it, unless told to ignore it', async () => {
    const strict = await serve();
    const refused = await strict.get('/transparents/list?status=PAID');
    expect(refused.body.message).toBe('status: is not a known query parameter');
    expect(refused.headers.get('x-sandbox-assumption')).toBe('unknown-query');
    const lax = await serve({ assume: { 'unknown-query': 'ignore' } });
    expect((await lax.get('/transparents/list?status=PAID&__proto__=1')).status).toBe(200);
  });

  it('is answered with the same headers whatever it was', async () => {
    const sandbox = await serve();
    for (const path of ['/withdrawals', '/nope']) {
      const { headers } = await sandbox.get(path);
      expect([headers.get('x-sandbox'), headers.get('content-type')]).toEqual(['pixctl', 'application/json']);
    }
  });
});

it('a request with an unknown expectation is answered like any other, in the envelope', async () => {
  const sandbox = await serve();
  const head = `GET /transparents/list HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${sandbox.apiKey}\r\n`;
  const answer = await raw(sandbox, `${head}Expect: the-moon\r\nConnection: close\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toContain('"success":true');
});
