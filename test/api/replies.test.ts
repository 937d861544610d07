import { describe, expect, it } from 'vitest';
import type { Api } from '../../src/api/client.ts';
import { hostileServer, json, someCharge, success } from '../support/hostile-server.ts';
import { clientOf } from './client-of.ts';

const list = (items: unknown[], pagination: unknown = { hasMore: false, next: null, before: null }) => ({
  ...success(items),
  pagination,
});

describe('an answer that says that it succeeded, and names an error', () => {
  const both = 'with success and an error (INTERNAL_ERROR) in one';
  const id = { id: 'chg_1' };

  it.each([
    [
      'createCharge',
      { body: { method: 'PIX', amount: 1050 } },
      201,
      'unknown',
      `answered 201 ${both}, which`,
    ],
    ['refundCharge', { query: id }, 200, 'unknown', `answered 200 ${both}, which`],
    ['getCharge', { query: id }, 200, 'unexpected', `is 200 ${both}, which`],
    ['listWithdrawals', { query: {} }, 200, 'unexpected', `is 200 ${both}, which`],
  ] as const)('is no success of %s', async (operation, input, status, kind, words) => {
    const data = operation === 'listWithdrawals' ? [] : someCharge;
    const answer = { ...list(data as unknown[]), error: 'INTERNAL_ERROR' };
    await using server = await hostileServer((response) => json(response, status, answer));
    const api = clientOf(server.url);
    await expect(api.call(operation, input as never)).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(words),
    });
    expect(server.received).toHaveLength(1);
    await api.close();
  });
});

describe('data is returned as it came', () => {
  it('with unknown fields, an unknown status and numbers that JavaScript would change', async () => {
    const text =
      '{"success":true,"error":null,"extra":1,"data":{"id":"chg_1","amount":1050,"status":"FROZEN","txid":"t","brCode":"b","imageBase64":"i","createdAt":"c","serial":12345678901234567890,"rate":0.10,"nested":{"deep":[1,null]}}}';
    await using server = await hostileServer((response) => json(response, 200, text));
    const api = clientOf(server.url);
    const charge = await api.call('getCharge', { query: { id: 'chg_1' } });
    expect(JSON.stringify(charge)).toBe(
      '{"id":"chg_1","amount":1050,"status":"FROZEN","txid":"t","brCode":"b","imageBase64":"i","createdAt":"c","serial":12345678901234567890,"rate":0.10,"nested":{"deep":[1,null]}}',
    );
    await api.close();
  });

  it('but an amount of too many digits is refused as the number that it is', async () => {
    const text = JSON.stringify(success(someCharge)).replace(/"amount":\d+/, '"amount":12345678901234567890');
    await using server = await hostileServer((response) => json(response, 200, text));
    const api = clientOf(server.url);
    await expect(api.call('getCharge', { query: { id: 'chg_1' } })).rejects.toMatchObject({
      kind: 'unexpected',
      message: expect.stringContaining('data.amount (expected number, found a number too long to be exact)'),
    });
    await api.close();
  });

  it('and prototype keys are plain keys', async () => {
    const text = JSON.stringify(success(someCharge)).replace(
      '"amount"',
      '"__proto__":{"amount":1,"polluted":true},"constructor":{"prototype":{"polluted":true}},"amount"',
    );
    await using server = await hostileServer((response) => json(response, 200, text));
    const api = clientOf(server.url);
    const charge = await api.call('getCharge', { query: { id: 'chg_1' } });
    expect(charge.amount).toBe(1050);
    expect(Object.getPrototypeOf(charge)).toBe(Object.prototype);
    expect(Object.hasOwn(charge, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    await api.close();
  });

  it('and a wrong content type does not matter when the body is the envelope', async () => {
    await using server = await hostileServer((response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      response.end(JSON.stringify(success(someCharge)));
    });
    const api = clientOf(server.url);
    expect((await api.call('getCharge', { query: { id: 'chg_1' } })).id).toBe('chg_1');
    await api.close();
  });

  it('and answers of unknown length are complete, however much longer or shorter than the last', async () => {
    const lengths = [10, 200_000, 210_000, 212_000, 3, 1_000_000, 900_000];
    let asked = 0;
    await using server = await hostileServer((response) => {
      const imageBase64 = `${'A'.repeat(lengths[asked] ?? 0)}.${asked++}`;
      response.writeHead(200, { 'content-type': 'application/json' });
      const text = JSON.stringify(success({ ...someCharge, imageBase64 }));
      response.write(text.slice(0, 7));
      response.end(text.slice(7));
    });
    const api = clientOf(server.url);
    // All are looked at when the last has come: none may lie in the memory of another.
    const charges = [];
    for (const _ of lengths) charges.push(await api.call('getCharge', { query: { id: 'chg_1' } }));
    expect(charges.map(({ imageBase64 }) => imageBase64)).toEqual(
      lengths.map((length, at) => `${'A'.repeat(length)}.${at}`),
    );
    await api.close();
  });

  it('a refund may answer with something that is no charge', async () => {
    await using server = await hostileServer((response) =>
      json(response, 200, success({ refundId: 'ref_1' })),
    );
    const api = clientOf(server.url);
    expect(await api.call('refundCharge', { query: { id: 'chg_1' } })).toEqual({ refundId: 'ref_1' });
    await api.close();
  });

  it('the id of a withdrawal may be a number, however long, and is text from then on', async () => {
    const record = '{"id":12345678901234567890,"amount":50,"status":"PENDING"}';
    await using server = await hostileServer((response, { path }) =>
      json(
        response,
        200,
        JSON.stringify(success(0)).replace('0', path.includes('/wd') ? record : `[${record}]`),
      ),
    );
    const api = clientOf(server.url);
    const expected = { id: '12345678901234567890', amount: 50, status: 'PENDING' };
    expect(await api.call('getWithdrawal', { path: { id: 'wd' } })).toEqual(expected);
    // The list of withdrawals is the one that may come without pagination.
    expect(await api.page('listWithdrawals', { query: {} })).toMatchObject({
      items: [expected],
      pagination: { hasMore: false },
    });
    await api.close();
  });

  it.each([
    ['no pagination', success([])],
    ['hasMore in text', list([], { hasMore: 'true' })],
    ['a cursor that is a number', list([], { hasMore: true, next: 7 })],
    ['an item that is no charge', list([{ id: 'chg_1' }])],
    ['no list', success({})],
  ])('a page with %s breaks the contract', async (_, body) => {
    await using server = await hostileServer((response) => json(response, 200, body));
    const api = clientOf(server.url);
    await expect(api.page('listCharges', { query: {} })).rejects.toMatchObject({
      kind: 'unexpected',
      code: 'CONTRACT',
    });
    await api.close();
  });
});

describe('the pages of a list', () => {
  it.each([
    [{}, ['', 'after=c1', 'after=c2']],
    [{ limit: 2, after: 'c0' }, ['limit=2&after=c0', 'limit=2&after=c1', 'limit=2&after=c2']],
    [{ limit: 2, before: 'c0' }, ['limit=2&before=c0', 'limit=2&before=c1', 'limit=2&before=c2']],
  ])('of %j are asked for one after another', async (course, queries) => {
    const cursors = ['c1', 'c2', null];
    await using server = await hostileServer((response) => {
      const next = cursors[server.received.length - 1] ?? null;
      json(response, 200, list([someCharge], { hasMore: next !== null, next, before: next }));
    });
    const api = clientOf(server.url);
    const items = [];
    for await (const page of api.pages('listCharges', undefined, course)) items.push(...page.items);
    expect(items).toHaveLength(3);
    expect(server.received.map(({ path }) => path.split('?')[1] ?? '')).toEqual(queries);
    await api.close();
  });
});

describe('what is not found', () => {
  const noSuchCall = { isPermanent: true, hint: expect.stringMatching(/^Check the base URL/) };
  const noSuchPage = { isPermanent: false, hint: expect.stringMatching(/^Check the base URL/) };
  const noSuchRecord = { isPermanent: false, hint: expect.stringMatching(/^Check the id/) };
  const body = { method: 'PIX', amount: 1050 } as const;

  it.each<[string, (api: Api) => Promise<unknown>, object]>([
    ['a list', (api) => api.page('listCharges', { query: { limit: 5 } }), noSuchCall],
    ['a later page', (api) => api.page('listCharges', { query: { after: 'c' } }), noSuchPage],
    ['an earlier page', (api) => api.page('listCharges', { query: { before: 'c' } }), noSuchPage],
    ['a charge', (api) => api.call('getCharge', { query: { id: 'x' } }), noSuchRecord],
    ['a customer', (api) => api.call('getCustomer', { path: { id: 'x' } }), noSuchRecord],
    [
      'a customer of a charge',
      (api) => api.call('createCharge', { body: { ...body, customerId: 'x' } }),
      noSuchRecord,
    ],
    [
      'a charge to create',
      (api) => api.call('createCharge', { body }),
      { ...noSuchCall, isPermanent: false },
    ],
  ])('is %s or the address', async (_, ask, said) => {
    await using server = await hostileServer((response) =>
      json(response, 404, { error: 'NOT_FOUND', message: 'no', success: false }),
    );
    const api = clientOf(server.url);
    await expect(ask(api)).rejects.toMatchObject({ kind: 'notFound', httpStatus: 404, ...said });
    await api.close();
  });
});

describe('a request', () => {
  it('carries the key, the base path and encoded parts, and its body as JSON', async () => {
    await using server = await hostileServer((response, { method }) =>
      json(response, method === 'POST' ? 201 : 200, success(someCharge)),
    );
    const api = clientOf(`${server.url}/base/`);
    await api.call('getCharge', { query: { id: 'a/b?c&d#é' } });
    await api.call('getCustomer', { path: { id: 'a/b?x=1' } });
    await api.call('createCharge', { body: { method: 'PIX', amount: 1050, description: 'é' } });
    expect(server.received.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
      { method: 'GET', path: '/base/transparents/check?id=a%2Fb%3Fc%26d%23%C3%A9', body: '' },
      { method: 'GET', path: '/base/customers/a%2Fb%3Fx%3D1', body: '' },
      {
        method: 'POST',
        path: '/base/transparents/create',
        body: '{"method":"PIX","amount":1050,"description":"é"}',
      },
    ]);
    for (const { headers } of server.received) expect(headers.authorization).toBe('Bearer svc_sandbox_test');
    expect(server.received[2]?.headers).toMatchObject({
      'content-type': 'application/json',
      connection: 'close',
      'accept-encoding': 'identity',
    });
    await api.close();
  });

  it.each([
    'customers/1',
    '//evil.example/x',
    'https://evil.example/x',
    '/a/../b',
    '/a/%2e%2e/b',
    '/a/%2E./b',
    '/..%2fb',
    '/a\\..\\b',
    '/a b',
    '/a\r\nX: y',
    '/é',
    '/a#b',
  ])('to the path %j is refused, and nothing leaves', async (path) => {
    await using server = await hostileServer((response) => json(response, 200, success({})));
    const api = clientOf(server.url);
    await expect(api.raw({ method: 'GET', path, timeoutMs: 1000 })).rejects.toMatchObject({ kind: 'usage' });
    expect(server.received).toEqual([]);
    await api.close();
  });

  it.each(['..', '.', '../withdrawals'])('for a customer called %j is refused', async (id) => {
    await using server = await hostileServer((response) => json(response, 200, success({})));
    const api = clientOf(server.url);
    await expect(api.call('getCustomer', { path: { id } })).rejects.toMatchObject({ kind: 'usage' });
    expect(server.received).toEqual([]);
    await api.close();
  });

  it('that `beforeFirstByte` stops sends nothing', async () => {
    await using server = await hostileServer((response) => json(response, 200, success({})));
    const api = clientOf(server.url);
    const exchange = await api.send({
      method: 'POST',
      path: '/withdrawals',
      timeoutMs: 1000,
      beforeFirstByte: () => {
        throw new Error('suspended too long');
      },
    });
    expect(exchange).toMatchObject({
      kind: 'not-sent',
      cause: { message: 'suspended too long' },
    });
    expect(server.received).toEqual([]);
    await api.close();
  });

  it('that is interrupted ends with the signal when it is a read, and is heard to its end when it is not', async () => {
    const interrupt = new AbortController();
    await using server = await hostileServer((response, { method }) => {
      interrupt.abort('SIGTERM');
      if (method === 'POST') setImmediate(() => json(response, 201, success(someCharge)));
    });
    const api = clientOf(server.url, { signal: interrupt.signal });
    expect((await api.call('createCharge', { body: { method: 'PIX', amount: 1050 } })).id).toBe('chg_1');
    const reading = clientOf(server.url, { signal: interrupt.signal });
    await expect(reading.call('getCharge', { query: { id: 'x' } })).rejects.toMatchObject({
      kind: 'terminated',
    });
    await expect(api.call('refundCharge', { query: { id: 'x' } })).rejects.toMatchObject({
      kind: 'terminated',
    });
    expect(server.received).toHaveLength(1);
    await api.close();
    await reading.close();
  });

  it('that is a read on which the record of a send waits is heard to its end too', async () => {
    const interrupt = new AbortController();
    await using server = await hostileServer((response) => {
      interrupt.abort('SIGTERM');
      setImmediate(() => json(response, 200, success(someCharge)));
    });
    const api = clientOf(server.url, { signal: interrupt.signal });
    const uninterrupted = true;
    for (let read = 0; read < 2; read++)
      expect((await api.call('getCharge', { query: { id: 'x' } }, { uninterrupted })).id).toBe('chg_1');
    await api.close();
  });

  it('that is a read in flight is given up at once', async () => {
    const interrupt = new AbortController();
    await using server = await hostileServer(() => interrupt.abort('SIGINT'));
    const api = clientOf(server.url, { signal: interrupt.signal });
    await expect(api.call('getCharge', { query: { id: 'x' } })).rejects.toMatchObject({
      kind: 'interrupted',
    });
    expect(server.received).toHaveLength(1);
    await api.close();
  });
});
