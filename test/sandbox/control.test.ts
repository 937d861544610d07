/** The control plane: who may speak to it, and what it does beside what the other tests drive it with. */
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/contract/operations.ts';
import { type Served, serve } from './support/over-http.ts';

/** `fetch` sets Host itself; a page that rebinds a name does not. */
const ask = (sandbox: Served, path: string, headers: Record<string, string>, method = 'GET') =>
  new Promise<number>((resolve, reject) => {
    request(sandbox.url + path, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

describe('the control plane', () => {
  it('answers loopback names only, whatever the token', async () => {
    const sandbox = await serve();
    const { port } = new URL(sandbox.url);
    const authorization = `Bearer ${sandbox.controlToken}`;
    for (const [host, origin, status] of [
      [`127.0.0.1:${port}`, undefined, 200],
      [`localhost:${port}`, undefined, 200],
      [`localhost:${port}`, `http://localhost:${port}`, 200],
      ['evil.example', undefined, 403],
      [`127.0.0.1.evil.example:${port}`, undefined, 403],
      [`127.0.0.1:${port}`, 'http://evil.example', 403],
      [`127.0.0.1:${port}`, 'http://127.0.0.1:1', 403],
      [`127.0.0.1:${port}`, 'null', 403],
    ] as const) {
      const headers = { host, authorization, ...(origin === undefined ? {} : { origin }) };
      expect([host, origin, await ask(sandbox, '/__sandbox/', headers)]).toEqual([host, origin, status]);
    }
    expect(await ask(sandbox, '/__sandbox/openapi.json', { host: 'evil.example' })).toBe(403);
  });

  it('needs its token, or a key of this sandbox that is not revoked', async () => {
    const sandbox = await serve();
    const key = sandbox.addKey();
    const statusOf = (authorization: string) => ask(sandbox, '/__sandbox/reset', { authorization }, 'POST');
    expect(await ask(sandbox, '/__sandbox/reset', {}, 'POST')).toBe(401);
    expect(await statusOf('Bearer wrong')).toBe(401);
    expect(await statusOf(`Bearer ${sandbox.controlToken}`)).toBe(200);
    const again = sandbox.addKey();
    expect(await statusOf(`Bearer ${key}`)).toBe(401);
    sandbox.revokeKey(again);
    expect(await statusOf(`Bearer ${again}`)).toBe(401);
  });

  it('accepts the token in the address only for reads', async () => {
    const sandbox = await serve();
    const token = `?token=${sandbox.controlToken}`;
    expect(await ask(sandbox, `/__sandbox/requests${token}`, {})).toBe(200);
    expect(await ask(sandbox, `/__sandbox/reset${token}`, {}, 'POST')).toBe(401);
  });

  it('sets a merchant strictly: misspelt or impossible settings are reported', async () => {
    const sandbox = await serve();
    const set = async (changes: object) => {
      const { status, body } = await sandbox.control('PATCH', '/merchants/default', changes);
      return status === 200 ? 200 : `${status} ${body.error.message}`;
    };
    expect(await set({ minTicket: 500, maxTicket: 900 })).toBe(200);
    expect(await set({ minticket: 500 })).toBe(
      '400 minticket: is not known in the settings of a merchant; did you mean minTicket?',
    );
    expect(await set({ chargesEnabled: 'yes' })).toBe('400 chargesEnabled: must be true or false, not "yes"');
    expect(await set({ minTicket: 901 })).toBe('400 minTicket: 901 is above maxTicket 900');
    expect(await set({ available: 10.5 })).toBe('400 available: must be a whole number of cents, not 10.5');
    expect(await set({ available: 9_007_199_254_740_991 })).toBe(
      '400 available: must be at most 999999999999999 cents',
    );
    expect(sandbox.merchant()).toMatchObject({ minTicket: 500, maxTicket: 900 });
  });

  it("uses the present first merchant by default, even after another sandbox's world was restored", async () => {
    const other = await serve({ merchant: { name: 'Outra loja' } });
    const sandbox = await serve();
    const first = async () => {
      const merchant = await sandbox.control('GET', '/merchants/default');
      const customers = await sandbox.control('GET', '/customers');
      const key = await sandbox.control('POST', '/keys', {});
      return [merchant.body.id, customers.status, key.body.merchantId];
    };
    const own = sandbox.merchantId;
    expect(await first()).toEqual([own, 200, own]);
    await sandbox.restore(other.snapshot());
    expect(await first()).toEqual([other.merchantId, 200, other.merchantId]);
    await sandbox.reset();
    expect(await first()).toEqual([own, 200, own]);
  });

  it('shows the double entries behind a balance', async () => {
    const sandbox = await serve();
    const { id } = await sandbox.charge(1_050);
    sandbox.pay(id);
    expect((await sandbox.control('GET', '/merchants/default/entries')).body).toEqual([
      {
        seq: 1,
        source: 'outside',
        target: 'available',
        amount: 1_050,
        reason: 'charge paid',
        reference: id,
        at: expect.any(String),
      },
    ]);
  });

  it('keeps a log of requests, bounded, without tokens', async () => {
    const sandbox = await serve();
    await sandbox.charge();
    await sandbox.get('/nope');
    const { body } = await sandbox.control('GET', '/requests');
    expect(body).toMatchObject([
      { number: 2, method: 'GET', target: '/nope', status: 404, assumptions: ['unknown-route'] },
      {
        number: 1,
        method: 'POST',
        operation: 'createCharge',
        status: 201,
        request: '{"method":"PIX","amount":1050}',
      },
    ]);
    expect(JSON.stringify(body)).not.toContain(sandbox.apiKey);
    for (let count = 0; count < 600; count++) await sandbox.get('/withdrawals');
    expect(sandbox.requests()).toHaveLength(500);
    expect(sandbox.requests()[0]?.number).toBe(602);
    await sandbox.reset();
    expect(sandbox.requests()).toEqual([]);
    await sandbox.get('/withdrawals');
    expect(sandbox.requests().map(({ number }) => number)).toEqual([603]);
  });

  it('describes the documented plane from the contract', async () => {
    const sandbox = await serve();
    const { body } = await sandbox.send('GET', '/__sandbox/openapi.json');
    const paths = Object.values(operations).map(({ path }) => path);
    expect(Object.keys(body.paths)).toEqual([...new Set(paths)]);
    const { requestBody, responses } = body.paths['/transparents/create'].post;
    const { schema } = requestBody.content['application/json'];
    expect(schema).toMatchObject({ required: ['method', 'amount'], additionalProperties: false });
    expect(schema.properties.expiresIn).toMatchObject({ type: 'integer', minimum: 60, maximum: 2_592_000 });
    expect(body.security).toEqual([{ apiKey: [] }]);
    expect(responses['400'].description).toBe('VALIDATION_ERROR or BAD_REQUEST');
    expect(Object.keys(responses)).toEqual(['201', '400', '401', '403', '404', '409', '429', '500'].sort());
  });

  it('names a query parameter as one, and what is no object as such', async () => {
    const sandbox = await serve();
    const told = async (...asked: [string, string, unknown?]) =>
      (await sandbox.control(...asked)).body.error.message;
    expect(await told('GET', '/charges?state=PAID')).toBe('state: is not a known query parameter');
    expect(await told('POST', '/events', { event: 'CHARGE_PAID', data: [] })).toBe(
      'data: must be an object, not an array',
    );
  });

  it('makes an event of any JSON object', async () => {
    const sandbox = await serve();
    const data = { amount: 1050, paid: true, customer: null, items: [{ id: 'a' }] };
    expect((await sandbox.control('POST', '/events', { event: 'CHARGE_PAID', data })).status).toBe(201);
    expect(sandbox.events()).toMatchObject([{ event: 'CHARGE_PAID', data }]);
  });

  it.each([
    ['/customers', { name: 'Ana', email: 'ana@example.com', taxId: '12345678909' }, 201],
    ['/keys', {}, 201],
    ['/merchants', {}, 201],
    ['/faults', { preset: 'rate-limited', times: 1 }, 201],
    ['/clock/advance', { ms: 0 }, 200],
  ])(
    'answers as the service does: 201 to what creates something, so to POST %s with %j %i',
    async (path, body, status) => {
      expect((await (await serve()).control('POST', path, body)).status).toBe(status);
    },
  );

  it('answers what it does not know with 404, and what is not JSON with 400', async () => {
    const sandbox = await serve();
    expect((await sandbox.control('GET', '/nope')).status).toBe(404);
    expect(await sandbox.control('DELETE', '/faults/9')).toMatchObject({
      status: 404,
      body: { error: { code: 'NOT_FOUND', message: 'there is no fault 9 in force' } },
    });
    expect((await sandbox.control('POST', '/charges/chg_none/pay')).body.error.code).toBe('NOT_FOUND');
    const headers = { authorization: `Bearer ${sandbox.controlToken}` };
    expect(await sandbox.send('POST', '/__sandbox/customers', { headers, body: '{' })).toMatchObject({
      status: 400,
      body: { error: { code: 'BAD_BODY', message: 'the body is not JSON' } },
    });
  });
});
