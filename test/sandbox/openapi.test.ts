/** What a sandbox answers is what its openapi.json says, judged by a validator that is not ours. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { type AssumptionId, assumptions } from '../../src/contract/assumptions.ts';
import { startReceiver } from '../support/receiver.ts';
import { type Served, serve } from './support/over-http.ts';

/** One answer: the call, by its path in the document, and what came. */
type Told = readonly [method: string, path: string, status: number, body: unknown];

// biome-ignore lint/suspicious/noExplicitAny: JSON of a known form
type Document = any;

const pix = { pixKey: 'ana@example.com', pixKeyType: 'EMAIL' };

/** Calls everything, with and without success. */
async function answersOf(sandbox: Served, urlField: string): Promise<Told[]> {
  const told: Told[] = [];
  const ask = async (method: 'GET' | 'POST', path: string, query = '', body?: unknown, id = '') => {
    const target = path.replace('{id}', id) + query;
    const reply = method === 'GET' ? await sandbox.get(target) : await sandbox.post(target, body);
    told.push([method, path, reply.status, reply.body]);
    return reply.body.data;
  };
  const customer = sandbox.addCustomer({ name: 'Ana', email: 'a@example.com', taxId: '12345678909' });
  const create = (body: object) => ask('POST', '/transparents/create', '', { method: 'PIX', ...body });
  const charge = await create({ amount: 500, customerId: customer.id });
  await create({ amount: 500 });
  await create({ amount: 1 });
  await ask('POST', '/transparents/refund', `?id=${charge.id}`);
  sandbox.pay(charge.id);
  await ask('GET', '/transparents/check', `?id=${charge.id}`);
  await ask('GET', '/transparents/list', '?limit=1');
  await ask('GET', '/transparents/list', '?limit=0');
  await ask('POST', '/transparents/refund', `?id=${charge.id}`);
  await ask('GET', '/customers/{id}', '', undefined, String(customer.id));
  await ask('GET', '/customers/{id}', '', undefined, 'cust_none');
  const made = await ask('POST', '/withdrawals', '', { amount: 50, ...pix });
  const id = String(made.id ?? made.withdrawalId);
  await ask('POST', '/withdrawals', '', { amount: 50, ...pix });
  await ask('GET', '/withdrawals/{id}', '', undefined, id);
  sandbox.failWithdrawal(id, 'account closed');
  await ask('GET', '/withdrawals/{id}', '', undefined, id);
  await ask('GET', '/withdrawals');
  const hook = { [urlField]: 'https://example.com/hook', events: ['CHARGE_PAID'] };
  await ask('POST', '/webhooks', '', hook);
  await ask('POST', '/webhooks', '', { ...hook, events: [] });
  return told;
}

/** Which of the answers their schemas do not accept, with the first reason. */
function refusedBy(document: Document, told: readonly Told[]): string[] {
  const ajv = addFormats.default(new Ajv2020({ strict: false }));
  return told.flatMap(([method, path, status, body]) => {
    const { schema } =
      document.paths[path][method.toLowerCase()].responses[status].content['application/json'];
    const accepts = ajv.compile({ ...schema, components: document.components });
    if (accepts(body)) return [];
    const [error] = accepts.errors ?? [];
    return [`${method} ${path} ${status}: ${error?.instancePath} ${error?.message}`];
  });
}

const documentOf = async (sandbox: Served): Promise<Document> =>
  (await sandbox.get('/__sandbox/openapi.json')).body;

const options = { merchant: { available: 100_000 }, withdrawals: 'manual' } as const;
const choices = Object.entries(assumptions).flatMap(([id, { choices }]) =>
  choices.slice(1).map((choice) => [id as AssumptionId, choice as string] as const),
);

describe('openapi.json', () => {
  it('accepts every answer of the sandbox', async () => {
    const sandbox = await serve(options);
    const told = await answersOf(sandbox, 'url');
    expect(new Set(told.map(([, , status]) => status))).toEqual(new Set([200, 201, 400, 404]));
    expect(refusedBy(await documentOf(sandbox), told)).toEqual([]);
  });

  it.each(choices)('accepts them with %s=%s', async (id, choice) => {
    const sandbox = await serve({ ...options, assume: { [id]: choice } });
    const told = await answersOf(sandbox, id === 'webhook-url-field' ? choice : 'url');
    expect(refusedBy(await documentOf(sandbox), told)).toEqual([]);
  });

  it.each([
    ['POST', '/transparents/create', { status: 'DONE' }],
    ['POST', '/transparents/create', { createdAt: 'yesterday' }],
    ['POST', '/transparents/create', { id: 'wd_1' }],
    ['POST', '/transparents/create', { imageBase64: 'AAAA' }],
    ['POST', '/transparents/create', { customer: { id: 'cust_1', name: 'Ana' } }],
    ['POST', '/transparents/create', { amount: 10.5 }],
    ['GET', '/transparents/check', { txid: undefined }],
    ['GET', '/customers/{id}', { taxId: '123.456.789-09' }],
    ['POST', '/withdrawals', { pixKeyType: 'PHONE' }],
    ['GET', '/withdrawals/{id}', { status: 'SENT' }],
    ['POST', '/webhooks', { secret: undefined }],
  ])('does not accept %s %s with %o, which the document does not show', async (method, path, change) => {
    const sandbox = await serve(options);
    const document = await documentOf(sandbox);
    const told = (await answersOf(sandbox, 'url')).find(
      ([m, p, status]) => m === method && p === path && status < 300,
    );
    if (told === undefined) throw new Error('no such answer');
    const body = told[3] as { data: object };
    const changed = JSON.parse(JSON.stringify({ ...body, data: { ...body.data, ...change } }));
    expect(refusedBy(document, [told])).toEqual([]);
    expect(refusedBy(document, [[method, path, told[2], changed]])).toHaveLength(1);
  });

  it('describes each delivery: its body and its signature header', async () => {
    const sandbox = await serve(options);
    await using receiver = await startReceiver();
    await sandbox.post('/webhooks', { url: receiver.url, events: ['CHARGE_PAID'] });
    sandbox.pay((await sandbox.charge(500)).id);
    await receiver.arrived(1);
    const { webhooks } = await documentOf(sandbox);
    expect(Object.keys(webhooks)).toEqual([
      'CHARGE_PAID',
      'CHARGE_EXPIRED',
      'REFUND_COMPLETED',
      'WITHDRAWAL_COMPLETED',
      'WITHDRAWAL_FAILED',
      'CHECKOUT_PAID',
      'CHECKOUT_REFUNDED',
    ]);
    const { parameters, requestBody } = webhooks.CHARGE_PAID.post;
    const accepts = new Ajv2020({ strict: false }).compile(requestBody.content['application/json'].schema);
    const [received] = receiver.received;
    const body = received?.body ?? '';
    expect(accepts(JSON.parse(body))).toBe(true);
    expect(accepts({ ...JSON.parse(body), event: 'REFUND_COMPLETED' })).toBe(false);
    expect(parameters[0].name).toBe('Service-Signature');
    expect(webhooks.CHARGE_EXPIRED.post.summary).toContain('nothing sends it');
    const nested = await serve({ assume: { 'event-data-shape': 'nested' } });
    const told = (await documentOf(nested)).webhooks.CHARGE_PAID.post['x-assumed']['event-data-shape'];
    expect(told).toMatch(/^nested; by default: /);
    expect(String(received?.headers['service-signature'])).toMatch(new RegExp(parameters[0].schema.pattern));
  });
});
