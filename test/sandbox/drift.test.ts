/** What the sandbox answers is what the client reads: every operation, through the contract's own schemas. */
import { describe, expect, it } from 'vitest';
import { failureEnvelope, itemEnvelope } from '../../src/contract/envelope.ts';
import { errorStatus } from '../../src/contract/error-codes.ts';
import {
  type Operation,
  type OperationName,
  operationPath,
  operations,
} from '../../src/contract/operations.ts';
import { pagination } from '../../src/contract/pagination.ts';
import { type Served, serve } from './support/over-http.ts';

interface Call {
  readonly id?: string;
  readonly query?: string;
  readonly body?: unknown;
}

/** A call of each operation that succeeds in a world with one of everything. */
async function succeeding(sandbox: Served): Promise<Record<OperationName, Call>> {
  const customer = sandbox.addCustomer({
    name: 'Ana',
    email: 'a@example.com',
    taxId: '12345678909',
    phone: '+5511987654321',
  });
  const charge = await sandbox.charge(500, { customerId: customer.id });
  sandbox.pay(charge.id);
  const pix = { pixKey: 'ana@example.com', pixKeyType: 'EMAIL' };
  const done = (await sandbox.post('/withdrawals', { amount: 50, ...pix })).body.data;
  sandbox.failWithdrawal(done.id, 'account closed');
  const url = 'https://example.com/hooks';
  const hook = (await sandbox.post('/webhooks', { url, events: ['CHARGE_PAID'] })).body.data;
  return {
    createCharge: {
      body: { method: 'PIX', amount: 500, description: 'x', customerId: customer.id, expiresIn: 60 },
    },
    getCharge: { query: `?id=${charge.id}` },
    refundCharge: { query: `?id=${charge.id}` },
    listCharges: { query: '?limit=1' },
    getCustomer: { id: String(customer.id) },
    createWithdrawal: { body: { amount: 60, ...pix } },
    listWithdrawals: {},
    getWithdrawal: { id: done.id },
    createWebhook: { body: { url: `${url}/more`, events: ['CHARGE_PAID', 'WITHDRAWAL_FAILED'] } },
    listDeliveries: { id: hook.id },
  };
}

describe('every operation', () => {
  it('answers its one success status, in the envelope, with items that the contract reads', async () => {
    const sandbox = await serve({ merchant: { available: 100_000 } });
    const calls = await succeeding(sandbox);
    const headers = { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' };
    for (const [name, operation] of Object.entries<Operation>(operations)) {
      const { id, query = '', body } = calls[name as OperationName];
      const init = { headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const reply = await sandbox.send(operation.method, operationPath(operation, id) + query, init);
      expect([name, reply.status]).toEqual([name, operation.success]);
      expect([name, itemEnvelope().safeParse(reply.body).success]).toEqual([name, true]);
      if (operation.shape === 'list')
        expect([name, pagination().safeParse(reply.body.pagination).success]).toEqual([name, true]);
      const items = operation.shape === 'list' ? reply.body.data : [reply.body.data];
      for (const item of items)
        expect([name, operation.data().safeParse(item).success]).toEqual([name, true]);
      expect(reply.headers.get('x-sandbox-assumption')?.split(',') ?? []).toEqual(
        expect.arrayContaining([...operation.assumed]),
      );
    }
  });

  it('says in openapi.json what its success rests on', async () => {
    const sandbox = await serve({ merchant: { available: 100_000 } });
    const calls = await succeeding(sandbox);
    const headers = { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' };
    const { paths } = (await sandbox.get('/__sandbox/openapi.json')).body;
    for (const [name, operation] of Object.entries<Operation>(operations)) {
      const { id, query = '', body } = calls[name as OperationName];
      const init = { headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const reply = await sandbox.send(operation.method, operationPath(operation, id) + query, init);
      const told = Object.keys(paths[operation.path][operation.method.toLowerCase()]['x-assumed'] ?? {});
      const rests = reply.headers.get('x-sandbox-assumption')?.split(',') ?? [];
      expect([name, rests.filter((each) => !told.includes(each))]).toEqual([name, []]);
    }
  });

  it('says in openapi.json what was chosen instead of the first choice', async () => {
    const told = async (options = {}) => {
      const { paths } = (await (await serve(options)).get('/__sandbox/openapi.json')).body;
      return paths['/transparents/refund'].post['x-assumed']['refund-shape'];
    };
    expect(await told()).toBe('the charge, now REFUNDED');
    expect(await told({ assume: { 'refund-shape': 'charge' } })).toBe('the charge, now REFUNDED');
    expect(await told({ assume: { 'refund-shape': 'record' } })).toBe(
      'record; by default: the charge, now REFUNDED',
    );
  });

  it('says in openapi.json how withdrawals are answered if another choice was made', async () => {
    const told = async (assume = {}) => {
      const { paths } = (await (await serve({ assume })).get('/__sandbox/openapi.json')).body;
      const dataOf = (path: string, method: string, status: number) =>
        paths[path][method].responses[status].content['application/json'].schema.properties.data;
      const created = dataOf('/withdrawals', 'post', 201);
      const read = dataOf('/withdrawals/{id}', 'get', 200);
      const { items: listed } = dataOf('/withdrawals', 'get', 200);
      return [[created, read, listed].map(({ properties }) => properties.id.type), created.required];
    };
    expect(await told()).toEqual([
      ['string', 'string', 'string'],
      ['id', 'amount', 'fee', 'pixKey', 'pixKeyType', 'status', 'createdAt'],
    ]);
    expect(await told({ 'withdrawal-id': 'number', 'withdrawal-create-shape': 'short' })).toEqual([
      ['integer', 'integer', 'integer'],
      ['id', 'status'],
    ]);
  });

  it('allows in openapi.json the unlisted properties that it ignores, but never in a charge', async () => {
    const sandbox = await serve({ assume: { 'extra-property': 'ignore', 'webhook-url-field': 'endpoint' } });
    const { paths } = (await sandbox.get('/__sandbox/openapi.json')).body;
    const taken = ['/withdrawals', '/webhooks', '/transparents/create'].map(
      (path) => paths[path].post.requestBody.content['application/json'].schema.additionalProperties,
    );
    expect(taken).toEqual([undefined, undefined, false]);
  });

  it('names in openapi.json the field of the URL as it was chosen, beside the events', async () => {
    const sandbox = await serve({ assume: { 'webhook-url-field': 'endpoint' } });
    const { paths } = (await sandbox.get('/__sandbox/openapi.json')).body;
    const { schema } = paths['/webhooks'].post.requestBody.content['application/json'];
    expect([Object.keys(schema.properties).sort(), schema.required]).toEqual([
      ['endpoint', 'events'],
      ['endpoint', 'events'],
    ]);
  });

  it('asks in openapi.json for pagination only of the list whose pages the document shows', async () => {
    const { paths } = (await (await serve()).get('/__sandbox/openapi.json')).body;
    const schemas = ['/transparents/list', '/withdrawals', '/webhooks/{id}/deliveries'].map(
      (path) => paths[path].get.responses[200].content['application/json'].schema,
    );
    for (const { properties } of schemas)
      expect(Object.keys(properties.pagination.properties)).toEqual(['hasMore', 'next', 'before']);
    expect(schemas.map(({ required }) => required)).toEqual([
      ['data', 'error', 'success', 'pagination'],
      ['data', 'error', 'success'],
      ['data', 'error', 'success'],
    ]);
  });

  it('says in openapi.json that the fee is assumed only until it is set', async () => {
    const sandbox = await serve();
    const told = async () => {
      const { paths } = (await sandbox.get('/__sandbox/openapi.json')).body;
      return Object.keys(paths['/withdrawals'].post['x-assumed'] ?? {});
    };
    expect(await told()).toContain('withdrawal-fee');
    sandbox.setMerchant({ withdrawalFee: 200 });
    expect(await told()).not.toContain('withdrawal-fee');
  });

  it('says in openapi.json every bound and default of "Limits", and none of its own', async () => {
    const { paths } = (await (await serve()).get('/__sandbox/openapi.json')).body;
    const fieldsOf = (path: string) =>
      paths[path].post.requestBody.content['application/json'].schema.properties;
    const charge = fieldsOf('/transparents/create');
    expect(charge.amount).toEqual({ type: 'integer', minimum: 100, maximum: 100_000_000 });
    expect(charge.expiresIn).toEqual({ type: 'integer', minimum: 60, maximum: 2_592_000, default: 86_400 });
    expect([charge.description.maxLength, charge.customerId.maxLength]).toEqual([140, 50]);
    expect(fieldsOf('/withdrawals').amount).toEqual({ type: 'integer', minimum: 50, maximum: 100_000_000 });
    expect(fieldsOf('/webhooks').events).toMatchObject({ minItems: 1, maxItems: 8 });
    const [limit] = paths['/transparents/list'].get.parameters;
    expect(limit.schema).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 20 });
    expect(JSON.stringify(paths)).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  it('refuses in the failure envelope, with a code of the document and the status that goes with it', async () => {
    const sandbox = await serve();
    for (const operation of Object.values<Operation>(operations)) {
      const path = operationPath(operation, 'none');
      for (const authorization of [`Bearer ${sandbox.apiKey}`, 'Bearer wrong']) {
        const headers = { authorization, 'content-type': 'application/json' };
        const body = operation.method === 'POST' ? '{"bad":1}' : null;
        const reply = await sandbox.send(operation.method, `${path}?limit=0&id=`, { headers, body });
        const failure = failureEnvelope().parse(reply.body);
        expect(Object.keys(reply.body)).toEqual(['error', 'message', 'success']);
        expect(reply.status).toBe(errorStatus[failure.error as keyof typeof errorStatus]);
      }
    }
  });
});
