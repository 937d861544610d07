/** What is answered without `node:http` must look as if it had been; and nothing may get lost between the two. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { noFields, readPlainRequest } from '../../../src/plain/request.ts';
import { type Served, serve } from '../support/over-http.ts';

const open = (sandbox: Served): Socket => connect(Number(new URL(sandbox.url).port), '127.0.0.1');

/** Everything that comes back until the connection ends. */
async function exchange(sandbox: Served, writes: readonly string[], end = false): Promise<string> {
  const socket = open(sandbox);
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (const write of writes) {
    await new Promise((resolve) => socket.write(write, resolve));
    // A turn of the other side in between, so that the writes arrive one by one.
    await sandbox.get('/withdrawals');
  }
  if (end) socket.end();
  await closed;
  return text;
}

const head = (sandbox: Served, more = '') =>
  `Host: 127.0.0.1\r\nAuthorization: Bearer ${sandbox.apiKey}\r\n${more}Connection: close\r\n`;
const post = (sandbox: Served, body: string, more = '') =>
  `POST /transparents/create HTTP/1.1\r\n${head(sandbox, more)}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const get = (sandbox: Served, target: string, more = '') =>
  `GET ${target} HTTP/1.1\r\n${head(sandbox, more)}\r\n`;
/** A header that takes the request to `node:http`, where it means nothing. */
const other = 'Trailer: x\r\n';

/** Head and body apart, without what differs from answer to answer. */
const parts = (answer: string): string[] => answer.replace(/Date: [^\r]+ GMT/, 'Date: D').split('\r\n\r\n');

describe('an answer', () => {
  it.each([
    ['a page', (it: Served) => (more: string) => get(it, '/transparents/list?limit=2', more)],
    ['a refused query', (it: Served) => (more: string) => get(it, '/transparents/list?limit=0', more)],
    ['an unknown record', (it: Served) => (more: string) => get(it, '/transparents/check?id=x', more)],
    ['an unknown route', (it: Served) => (more: string) => get(it, '/nope', more)],
    ['a refused body', (it: Served) => (more: string) => post(it, '{"method":"PIX"}', more)],
    ['a body that is not JSON', (it: Served) => (more: string) => post(it, '{', more)],
  ])('is the same with and without node:http: %s', async (_, of) => {
    const sandbox = await serve();
    const { id } = await sandbox
      .control('POST', '/customers', {
        name: 'José Conceição',
        email: 'jose@example.com',
        taxId: '11144477735',
      })
      .then(({ body }) => body.data ?? body);
    await sandbox.charge(500, { customerId: id });
    await sandbox.charge(600);
    const request = of(sandbox);
    const plain = parts(await exchange(sandbox, [request('')]));
    const heard = parts(await exchange(sandbox, [request(other)]));
    expect(plain).toEqual(heard);
    expect(plain[0]).toContain(`content-length: ${Buffer.byteLength(plain[1] ?? '')}`);
  });

  it('to a kept connection says how long it is kept, as node:http does', async () => {
    const sandbox = await serve();
    const heads: string[] = [];
    for (const more of ['', other]) {
      const socket = open(sandbox);
      socket.write(`GET /withdrawals HTTP/1.1\r\nHost: x\r\n${more}\r\n`);
      const [chunk] = await once(socket, 'data');
      heads.push(parts(String(chunk))[0] ?? '');
      socket.destroy();
    }
    expect(heads[0]).toBe(heads[1]);
    expect(heads[0]).toContain('Connection: keep-alive\r\nKeep-Alive: timeout=5');
  });
});

describe('a request', () => {
  it.each([
    ['whole', (text: string) => [text]],
    ['as head and body', (text: string) => text.split(/(?<=\r\n\r\n)/)],
    ['with its body in two', (text: string) => [text.slice(0, -20), text.slice(-20)]],
    [
      'with its body in many',
      (text: string) => [text.slice(0, -30), ...text.slice(-30).split(/(?<=^.{10}|^.{20})/)],
    ],
    ['with its head in two', (text: string) => [text.slice(0, 40), text.slice(40)]],
  ])('is taken %s, and has its effect once', async (_, cut) => {
    const sandbox = await serve();
    const answer = await exchange(
      sandbox,
      cut(post(sandbox, '{"method":"PIX","amount":500,"description":"x"}')),
    );
    expect(answer).toContain('HTTP/1.1 201 Created');
    expect((await sandbox.get('/transparents/list')).body.data).toHaveLength(1);
  });

  it('is answered even if the client has said that it sends no more', async () => {
    const sandbox = await serve();
    expect(await exchange(sandbox, [get(sandbox, '/withdrawals')], true)).toContain('HTTP/1.1 200 OK');
  });

  it('is answered later too, by either side, even if the client has said that it sends no more', async () => {
    const sandbox = await serve();
    sandbox.faults.add({ target: 'api', effect: { kind: 'latency', ms: 20 } });
    for (const more of ['', other]) {
      expect(await exchange(sandbox, [get(sandbox, '/withdrawals', more)], true)).toContain(
        'HTTP/1.1 200 OK',
      );
    }
  });

  it('may be one of thousands that come in one piece', async () => {
    const sandbox = await serve();
    const many = 'GET /nope HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_000);
    const answers = await exchange(sandbox, [many + get(sandbox, '/withdrawals')]);
    expect(answers.match(/HTTP\/1\.1 401 /g)).toHaveLength(2_000);
    expect(answers.match(/HTTP\/1\.1 200 /g)).toHaveLength(1);
  });

  it('that cannot be read ends its connection, even if the client holds it open', async () => {
    const sandbox = await serve();
    const { port, hostname: host } = new URL(sandbox.url);
    const socket = connect({ port: Number(port), host, allowHalfOpen: true });
    socket.on('error', () => {}).resume();
    socket.write('nonsense\r\n\r\n');
    await once(socket, 'end');
    // Whoever writes to a connection that is over finds out.
    const isOver = () => socket.destroyed || (socket.write('x') && false);
    await expect.poll(isOver, { interval: 100 }).toBe(true);
  });

  it('waits until the client has read what was answered before', async () => {
    const sandbox = await serve({ seed: 'x' });
    sandbox.seed({ charges: 100 });
    const page = get(sandbox, '/transparents/list?limit=100');
    const kept = page.replace('Connection: close\r\n', '');
    // 70 MB, more than the system keeps for who does not read.
    const socket = open(sandbox).pause();
    await new Promise((resolve) => socket.write(kept.repeat(400) + page, resolve));
    await sandbox.get('/withdrawals');
    const lists = () => sandbox.requests().filter(({ operation }) => operation === 'listCharges').length;
    await expect.poll(lists).toBeGreaterThan(0);
    expect(lists()).toBeLessThan(400);
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
    socket.resume();
    await once(socket, 'close');
    expect(lists()).toBe(401);
    expect(bytes).toBeGreaterThan(401 * 100 * 1_000);
  });

  it('that breaks off is refused', async () => {
    const sandbox = await serve();
    const broken = post(sandbox, '{"method":"PIX","amount":500}').slice(0, -5);
    expect(await exchange(sandbox, [broken], true)).toContain('HTTP/1.1 400 Bad Request');
    expect((await sandbox.get('/transparents/list')).body.data).toEqual([]);
  });

  it('follows another on its connection, to whomever it goes, and the answers keep the order', async () => {
    const sandbox = await serve();
    const kept = (text: string) => text.replace('Connection: close\r\n', '');
    const answer = await exchange(sandbox, [
      kept(post(sandbox, '{"method":"PIX","amount":501}')) +
        kept(get(sandbox, '/transparents/list')) +
        kept(get(sandbox, '/__sandbox/openapi.json')) +
        get(sandbox, '/withdrawals'),
    ]);
    const told = [...answer.matchAll(/HTTP\/1\.1 (\d+)|"amount":(501)|"(openapi)"|"(pagination)"/g)].map(
      (it) => it.slice(1).find(Boolean),
    );
    expect(told.filter((it) => it !== 'pagination')).toEqual([
      '201',
      '501',
      '200',
      '501',
      '200',
      'openapi',
      '200',
    ]);
  });

  it('meets a connection that hung, was reset or was cut by a fault, as before', async () => {
    const sandbox = await serve();
    sandbox.faults.add({
      target: 'api',
      effect: { kind: 'truncate' },
      operations: ['listCharges'],
      times: 1,
    });
    const answer = parts(await exchange(sandbox, [get(sandbox, '/transparents/list')]));
    const length = Number(/content-length: (\d+)/.exec(answer[0] ?? '')?.[1]);
    expect(answer[1]).toHaveLength(Math.floor(length / 2));
    sandbox.faults.add({
      target: 'api',
      effect: { kind: 'reset', when: 'after' },
      operations: ['createCharge'],
      times: 1,
    });
    expect(await exchange(sandbox, [post(sandbox, '{"method":"PIX","amount":500}')])).toBe('');
    expect((await sandbox.get('/transparents/list')).body.data).toHaveLength(1);
  });
});

describe('what is not plain', () => {
  const fields = 'Host: x\r\nAuthorization: Bearer k\r\n';
  it.each([
    ['another method', `PUT / HTTP/1.1\r\n${fields}\r\n`],
    ['an older version', `GET / HTTP/1.0\r\n${fields}\r\n`],
    ['no host', 'GET / HTTP/1.1\r\nAccept: */*\r\n\r\n'],
    ['no fields', 'GET / HTTP/1.1\r\n\r\n'],
    ['an absolute target', `GET http://x/ HTTP/1.1\r\n${fields}\r\n`],
    ['a fragment', `GET /a#b HTTP/1.1\r\n${fields}\r\n`],
    ['a space in the target', `GET /a b HTTP/1.1\r\n${fields}\r\n`],
    ['a target beyond ASCII', `GET /\u00e9 HTTP/1.1\r\n${fields}\r\n`],
    ['a length told twice', `POST / HTTP/1.1\r\n${fields}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    ['a length that is none', `POST / HTTP/1.1\r\n${fields}Content-Length: +1\r\n\r\na`],
    ['chunks', `POST / HTTP/1.1\r\n${fields}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['an expectation', `POST / HTTP/1.1\r\n${fields}Expect: 100-continue\r\nContent-Length: 1\r\n\r\n`],
    ['an upgrade', `GET / HTTP/1.1\r\n${fields}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
    ['a GET with a body', `GET / HTTP/1.1\r\n${fields}Content-Length: 1\r\n\r\na`],
    ['a body above the limit', `POST / HTTP/1.1\r\n${fields}Content-Length: 65537\r\n\r\n`],
    ['a folded field', `GET / HTTP/1.1\r\n${fields}X: a\r\n b\r\n\r\n`],
    ['a space before the colon', `GET / HTTP/1.1\r\n${fields}X : a\r\n\r\n`],
    ['a bare line feed', `GET / HTTP/1.1\r\n${fields}X: a\nY: b\r\n\r\n`],
    ['a control character', `GET / HTTP/1.1\r\n${fields}X: a\u0000\r\n\r\n`],
    ['two keys', `GET / HTTP/1.1\r\n${fields}Authorization: Bearer l\r\n\r\n`],
    ['an endless head', `GET / HTTP/1.1\r\n${fields}X: ${'a'.repeat(9_000)}\r\n\r\n`],
    ['half a head', `GET / HTTP/1.1\r\n${fields}`],
  ])('is left to node:http: %s', (_, text) => {
    expect(readPlainRequest(Buffer.from(text), noFields(), 65_536)).toBe('other');
  });

  it('does not change what is read after it on the same connection', () => {
    const last = noFields();
    const good = Buffer.from(`GET /a HTTP/1.1\r\n${fields}\r\n`);
    expect(readPlainRequest(good, last, 65_536)).toMatchObject({ target: '/a', end: good.length });
    expect(readPlainRequest(Buffer.from('GET /a HTTP/1.1\r\nHost\r\n\r\n'), last, 65_536)).toBe('other');
    expect(readPlainRequest(good, last, 65_536)).toMatchObject({
      target: '/a',
      fields: { authorization: 'Bearer k' },
    });
  });
});
