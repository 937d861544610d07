import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Api } from '../../src/api/client.ts';
import { PixctlError } from '../../src/errors.ts';
import {
  type Answer,
  bareServer,
  failure,
  hostileServer,
  json,
  someCharge,
  success,
} from '../support/hostile-server.ts';
import { run } from '../support/run.ts';
import { clientOf } from './client-of.ts';

const read = (api: Api) => api.call('getCharge', { query: { id: 'chg_1' } });
const create = (api: Api) => api.call('createCharge', { body: { method: 'PIX', amount: 1050 } });
const refund = (api: Api) => api.call('refundCharge', { query: { id: 'chg_1' } });

async function exitOf(work: Promise<unknown>): Promise<number> {
  try {
    await work;
    return 0;
  } catch (error) {
    if (error instanceof PixctlError) return error.exit;
    throw error;
  }
}

const html = (status: number) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'text/html' });
  response.end('<html>gateway</html>');
};
const charge = JSON.stringify(success(someCharge));
/** The status is the right one for each: what is wrong is the body. */
const succeeding =
  (body: unknown): Answer =>
  (response, { method }) =>
    json(response, method === 'POST' ? 201 : 200, body);

interface Case {
  readonly what: string;
  readonly answer: Answer;
  readonly read: number;
  /** Of a create, whose success is 201. */
  readonly create: number;
}

const cases: Case[] = [
  { what: 'a web page with 200', answer: html(200), read: 75, create: 81 },
  { what: 'a web page with 201', answer: html(201), read: 75, create: 81 },
  { what: 'a web page with 404', answer: html(404), read: 1, create: 81 },
  { what: 'a web page with 502', answer: html(502), read: 75, create: 81 },
  {
    what: '500 in the envelope',
    answer: (r) => json(r, 500, failure('INTERNAL_ERROR', 'x')),
    read: 75,
    create: 81,
  },
  {
    what: '400 in the envelope',
    answer: (r) => json(r, 400, failure('BAD_REQUEST', 'x')),
    read: 80,
    create: 80,
  },
  {
    what: '400 that is called an internal error',
    answer: (r) => json(r, 400, failure('INTERNAL_ERROR', 'x')),
    read: 80,
    create: 81,
  },
  {
    what: '400 with a code of the future',
    answer: (r) => json(r, 400, failure('NEW_RULE', 'x')),
    read: 80,
    create: 80,
  },
  { what: '400 without the envelope', answer: (r) => json(r, 400, '{}'), read: 1, create: 81 },
  { what: '400 that says success', answer: (r) => json(r, 400, charge), read: 1, create: 81 },
  {
    what: '401 in the envelope',
    answer: (r) => json(r, 401, failure('UNAUTHORIZED', 'x')),
    read: 77,
    create: 77,
  },
  {
    what: '403 in the envelope',
    answer: (r) => json(r, 403, failure('FORBIDDEN', 'x')),
    read: 77,
    create: 77,
  },
  {
    what: '404 in the envelope',
    answer: (r) => json(r, 404, failure('NOT_FOUND', 'x')),
    read: 88,
    create: 88,
  },
  {
    what: '409 in the envelope',
    answer: (r) => json(r, 409, failure('CONFLICT', 'x')),
    read: 80,
    create: 80,
  },
  {
    what: '429 in the envelope',
    answer: (r) => json(r, 429, failure('RATE_LIMITED', 'x')),
    read: 75,
    create: 75,
  },
  { what: '429 without the envelope', answer: (r) => json(r, 429, 'slow down'), read: 75, create: 81 },
  { what: 'another 2xx', answer: (r) => json(r, 202, charge), read: 1, create: 81 },
  { what: '204', answer: (r) => void r.writeHead(204).end(), read: 1, create: 81 },
  { what: 'a body cut off', answer: succeeding(charge.slice(0, 90)), read: 1, create: 81 },
  { what: 'an empty body', answer: succeeding(''), read: 1, create: 81 },
  { what: 'JSON that is no object', answer: succeeding('[1]'), read: 1, create: 81 },
  { what: 'null for data', answer: succeeding(success(null)), read: 1, create: 81 },
  { what: 'an array for data', answer: succeeding(success([someCharge])), read: 1, create: 81 },
  { what: 'no data', answer: succeeding('{"success":true}'), read: 1, create: 81 },
  {
    what: 'an amount that is no integer',
    answer: succeeding(success({ ...someCharge, amount: 10.5 })),
    read: 1,
    create: 81,
  },
  {
    what: 'an amount beyond exact integers',
    answer: succeeding(charge.replace('1050', '9007199254740993')),
    read: 1,
    create: 81,
  },
  {
    what: 'an amount in text',
    answer: succeeding(charge.replace('1050', '"1050"')),
    read: 1,
    create: 81,
  },
  {
    what: 'an infinite amount',
    answer: succeeding(charge.replace('1050', '1e999')),
    read: 1,
    create: 81,
  },
  {
    what: 'bytes that are not UTF-8',
    answer: (r) => void r.end(Buffer.concat([Buffer.from(charge.slice(0, -2)), Buffer.from([0xff, 0xfe])])),
    read: 1,
    create: 81,
  },
  { what: 'depth without end', answer: succeeding('['.repeat(200_000)), read: 1, create: 81 },
  {
    what: 'nine megabytes',
    answer: succeeding(`{"x":"${'y'.repeat(9_000_000)}"}`),
    read: 1,
    create: 81,
  },
  {
    what: 'less than its length says',
    answer: (r) => {
      r.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
      r.write(charge);
      setImmediate(() => r.destroy());
    },
    read: 75,
    create: 81,
  },
  {
    what: 'a reset after the request',
    answer: (r) => void r.socket?.resetAndDestroy(),
    read: 75,
    create: 81,
  },
  {
    what: 'bytes that are not HTTP',
    answer: (r) => void r.socket?.end('garbage\r\n\r\n'),
    read: 75,
    create: 81,
  },
];

describe('a server that answers badly', () => {
  it.each(cases)(
    '$what: a read ends with $read, a create with $create',
    async ({ answer, read: reads, create: creates }) => {
      await using server = await hostileServer(answer);
      const api = clientOf(server.url);
      expect(await exitOf(read(api))).toBe(reads);
      expect(await exitOf(create(api))).toBe(creates);
      const posts = server.received.filter(({ method }) => method === 'POST');
      expect(posts).toHaveLength(1);
      await api.close();
    },
  );

  it('has not refunded because it says so without data', async () => {
    await using server = await hostileServer((response) => json(response, 200, '{"success":true}'));
    const api = clientOf(server.url);
    expect(await exitOf(refund(api))).toBe(81);
    await api.close();
  });

  it.each(['POST', 'PATCH', 'DELETE'] as const)(
    'may have done a %s whose answer it cut off',
    async (method) => {
      await using server = await hostileServer((response) => void response.socket?.resetAndDestroy());
      const api = clientOf(server.url);
      expect(await exitOf(api.raw({ method, path: '/x', timeoutMs: 10_000 }))).toBe(81);
      expect(server.received).toHaveLength(1);
      await api.close();
    },
  );

  it('a charge without an id is as good as none: nothing could wait for it, or refund it', async () => {
    await using server = await hostileServer((r, { method }) =>
      json(r, method === 'GET' ? 200 : 201, success({ ...someCharge, id: '' })),
    );
    const api = clientOf(server.url);
    expect(await exitOf(read(api))).toBe(1);
    expect(await exitOf(create(api))).toBe(81);
    await api.close();
  });

  it('a cursor or an id with half a surrogate pair is told as any other answer, not as a bug', async () => {
    const pagination = { hasMore: true, next: 'page\ud800', before: null };
    await using server = await hostileServer((r, { path }) =>
      path.startsWith('/transparents/check')
        ? json(r, 404, failure('NOT_FOUND', 'x'))
        : json(r, 200, { ...success([someCharge]), pagination }),
    );
    const api = clientOf(server.url);
    const list = api.page('listCharges', { query: {} });
    await expect(list).rejects.toMatchObject({
      kind: 'unexpected',
      code: 'CONTRACT',
      message: expect.stringContaining('does not fit the contract at pagination.next'),
    });
    expect(await exitOf(api.call('getCharge', { query: { id: 'chg_\ud800' } }))).toBe(88);
    expect(await exitOf(api.call('getWithdrawal', { path: { id: 'wd_\ud800' } }))).not.toBe(0);
    await api.close();
  });

  it('an answer that was compressed all the same is told by its encoding', async () => {
    await using server = await hostileServer((r) => {
      r.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      r.end(gzipSync(charge));
    });
    const api = clientOf(server.url);
    const message = expect.stringContaining('in the encoding gzip, which was not requested');
    await expect(read(api)).rejects.toMatchObject({ kind: 'unexpected', message });
    await expect(create(api)).rejects.toMatchObject({ kind: 'unknown', message });
    await api.close();
  });

  it('an envelope that is nested too deeply is not called none', async () => {
    const deep = `{"x":${'['.repeat(100)}${']'.repeat(100)},${charge.slice(1)}`;
    await using server = await hostileServer((r) => json(r, 200, deep));
    const api = clientOf(server.url);
    await expect(read(api)).rejects.toMatchObject({
      kind: 'unexpected',
      message: expect.stringContaining('with JSON nested too deeply to read'),
    });
    await api.close();
  });

  it.each([301, 302, 303, 307, 308])('%i is followed by nothing, and the key stays', async (status) => {
    await using thief = await hostileServer((response) => json(response, 200, charge));
    await using server = await hostileServer((response) =>
      response.writeHead(status, { location: `${thief.url}/transparents/check?id=chg_1` }).end(),
    );
    const api = clientOf(server.url);
    expect(await exitOf(read(api))).toBe(1);
    expect(await exitOf(create(api))).toBe(81);
    expect(await exitOf(refund(api))).toBe(81);
    expect(thief.received).toEqual([]);
    expect(server.received).toHaveLength(3);
    await api.close();
  });

  it.each(['headers', 'body'])(
    'no more %s within the deadline: a read ends with 75, a create with 81',
    async (what) => {
      await using server = await hostileServer((response) => {
        if (what === 'body') response.writeHead(200, { 'content-type': 'application/json' }).write('{');
      });
      const api = clientOf(server.url, { timeoutMs: 150 });
      expect(await exitOf(read(api))).toBe(75);
      expect(await exitOf(create(api))).toBe(81);
      expect(server.received).toHaveLength(2);
      await api.close();
    },
  );
});

it.each([
  [read, "pixctl api GET '/transparents/check?id=chg_1'"],
  [(api: Api) => api.call('getCustomer', { path: { id: 'cust_1' } }), 'pixctl api GET /customers/cust_1'],
  [
    (api: Api) => api.page('listCharges', { query: { limit: 5 } }),
    "pixctl api GET '/transparents/list?limit=5'",
  ],
])('names the whole command that shows an answer which breaks the contract: %#', async (ask, line) => {
  await using server = await hostileServer((response) => json(response, 200, success({ id: 7 })));
  const api = clientOf(server.url);
  const whole = process.platform === 'win32' ? line.replaceAll("'", '"') : line;
  await expect(ask(api)).rejects.toMatchObject({
    code: 'CONTRACT',
    hint: `See the whole answer with ${whole}; check the base URL with pixctl whoami.`,
  });
  await api.close();
});

it('does not send to pixctl api for an answer that is too large for it too', async () => {
  await using server = await hostileServer((response) => json(response, 200, success('x'.repeat(9 << 20))));
  await expect(read(clientOf(server.url))).rejects.toMatchObject({
    exit: 1,
    hint: 'This is too large for pixctl api as well; check the base URL with pixctl whoami.',
  });
});

it('reads an answer that comes a byte at a time in little more memory than it has bytes', async () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  const bytes = '1\r\n \r\n'.repeat(1_500_000);
  await using server = await bareServer((socket) => {
    socket.once('data', () => socket.end(`${head}${bytes}4\r\ntrue\r\n0\r\n\r\n`));
  });
  const { code, stdout } = await run(['api', 'GET', '/x'], {
    env: {
      PIXCTL_BASE_URL: server.url,
      PIXCTL_API_KEY: 'svc_canary',
      NODE_OPTIONS: '--max-old-space-size=64',
    },
  });
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'true\n' });
});

describe('a server that is not reached', () => {
  it('refuses the connection: nothing was sent, and a create may be repeated', async () => {
    const gone = await hostileServer(() => {});
    await gone[Symbol.asyncDispose]();
    const api = clientOf(gone.url);
    expect(await exitOf(read(api))).toBe(75);
    await expect(create(api)).rejects.toMatchObject({
      kind: 'later',
      message: expect.stringContaining('Nothing was sent'),
    });
    await api.close();
  });

  it('accepts and says nothing until the deadline: a create may have arrived', async () => {
    await using server = await bareServer(() => {});
    const api = clientOf(server.url, { timeoutMs: 150 });
    expect(await exitOf(create(api))).toBe(81);
    await api.close();
  });
});
