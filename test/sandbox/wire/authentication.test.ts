/** Document: "Authentication", "GET /customers/{id}". */
import { describe, expect, it } from 'vitest';
import { serve } from '../support/over-http.ts';

describe('the bearer token', () => {
  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['no token', 'Bearer'],
    ['an unknown key', 'Bearer svc_sandbox_unknown'],
    ['a dashboard token', 'Bearer eyJh.eyJz.c2ln'],
    ['another scheme', 'Basic c3ZjOg=='],
    ['two tokens', 'Bearer a b'],
  ])('is 401 UNAUTHORIZED with %s, on every route and before anything else', async (_, authorization) => {
    const sandbox = await serve();
    for (const [method, path] of [
      ['POST', '/transparents/create'],
      ['GET', '/transparents/check?id=chg_none'],
      ['POST', '/transparents/refund'],
      ['GET', '/transparents/list?limit=bad'],
      ['GET', '/customers/cust_none'],
      ['POST', '/withdrawals'],
      ['GET', '/withdrawals'],
      ['GET', '/withdrawals/wd_none'],
      ['POST', '/webhooks'],
      ['GET', '/webhooks/wh_none/deliveries'],
    ] as const) {
      const headers = authorization === undefined ? {} : { authorization };
      const { status, body } = await sandbox.send(method, path, { headers });
      expect([path, status]).toEqual([path, 401]);
      expect(body).toEqual({ error: 'UNAUTHORIZED', message: expect.any(String), success: false });
    }
  });

  it('is 401 from the moment the key is revoked; other keys go on', async () => {
    const sandbox = await serve();
    const second = { authorization: `Bearer ${sandbox.addKey()}` };
    expect((await sandbox.get('/withdrawals', second)).status).toBe(200);
    sandbox.revokeKey(second.authorization.slice(7));
    expect((await sandbox.get('/withdrawals', second)).status).toBe(401);
    expect((await sandbox.get('/withdrawals')).status).toBe(200);
  });

  it('takes the scheme in any case', async () => {
    const sandbox = await serve();
    expect((await sandbox.get('/withdrawals', { authorization: `bearer ${sandbox.apiKey}` })).status).toBe(
      200,
    );
  });
});

describe('GET /customers/{id}', () => {
  it('answers every field; a deleted, unknown or foreign one is 404 NOT_FOUND', async () => {
    const sandbox = await serve();
    const made = sandbox.addCustomer({ name: 'Ana', email: 'ana@example.com', taxId: '12345678000195' });
    const read = await sandbox.get(`/customers/${made.id}`);
    expect(read.body.data).toEqual({
      id: expect.stringMatching(/^cust_/),
      name: 'Ana',
      email: 'ana@example.com',
      taxId: '12345678000195',
      phone: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const foreign = { authorization: `Bearer ${sandbox.addMerchant().apiKey}` };
    expect((await sandbox.get(`/customers/${made.id}`, foreign)).status).toBe(404);
    sandbox.removeCustomer(made.id);
    for (const id of [made.id, 'cust_none', '%00', '..%2Fwithdrawals']) {
      const { status, body } = await sandbox.get(`/customers/${id}`);
      expect([id, status, body.error]).toEqual([id, 404, 'NOT_FOUND']);
    }
  });

  it.each([
    ['null', { phone: null }],
    ['left-out', {}],
  ])('shows a missing phone as is assumed, and says that it assumes: %s', async (choice, phone) => {
    const sandbox = await serve({ assume: { 'customer-without-phone': choice } });
    const ana = { name: 'Ana', email: 'ana@example.com', taxId: '12345678909' };
    const { id } = sandbox.addCustomer(ana);
    const without = await sandbox.get(`/customers/${id}`);
    expect('phone' in phone).toBe('phone' in without.body.data);
    expect(without.body.data).toMatchObject({ ...ana, ...phone });
    expect(without.headers.get('x-sandbox-assumption')).toBe('customer-without-phone');
    const other = sandbox.addCustomer({ ...ana, taxId: '12345678000195', phone: '+5511987654321' });
    const called = await sandbox.get(`/customers/${other.id}`);
    expect(called.body.data.phone).toBe('+5511987654321');
    expect(called.headers.get('x-sandbox-assumption')).toBeNull();
  });

  it('has one customer per document: a second is a CONFLICT', async () => {
    const sandbox = await serve();
    const ana = { name: 'Ana', email: 'ana@example.com', taxId: '12345678909' };
    const { id } = sandbox.addCustomer(ana);
    const twin = await sandbox.control('POST', '/customers', ana);
    expect([twin.status, twin.body.error.code]).toEqual([409, 'CONFLICT']);
    sandbox.removeCustomer(id);
    expect(sandbox.addCustomer(ana).id).not.toBe(id);
  });
});
