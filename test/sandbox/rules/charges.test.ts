/** Document: "POST /transparents/create", "GET /transparents/check", "POST /transparents/refund", "Limits". */
import { describe, expect, it } from 'vitest';
import { judgeBrCode } from '../../../src/contract/brcode/judge.ts';
import { readPngCode } from '../../support/read-png-code.ts';
import { serve } from '../support/over-http.ts';

const body = (more: object) => ({ method: 'PIX', amount: 1_050, ...more });

describe('POST /transparents/create', () => {
  it('answers 201 with a PENDING charge that has every required field', async () => {
    const sandbox = await serve();
    const reply = await sandbox.post('/transparents/create', body({}));
    expect(reply.status).toBe(201);
    expect(reply.headers.get('content-type')).toBe('application/json');
    expect(Object.keys(reply.body)).toEqual(['data', 'error', 'success']);
    expect(reply.body).toMatchObject({ error: null, success: true });
    expect(reply.body.data).toEqual({
      id: expect.stringMatching(/^chg_[a-z0-9]+$/),
      amount: 1050,
      status: 'PENDING',
      txid: expect.stringMatching(/^[a-zA-Z0-9]{26,35}$/),
      brCode: expect.any(String),
      imageBase64: expect.stringMatching(/^data:image\/png;base64,/),
      expiresAt: expect.any(String),
      customer: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it('issues a BR Code that holds, and an image that decodes to exactly it', async () => {
    const sandbox = await serve({ merchant: { name: 'Açaí & Cia do Pará Ltda — Matriz', city: 'São Luís' } });
    const { brCode, imageBase64, txid } = await sandbox.charge(12_345);
    expect(judgeBrCode(brCode)).toMatchObject({ findings: [] });
    expect(brCode).toContain('5406123.45');
    expect(brCode).toContain(txid);
    expect(readPngCode(Buffer.from(imageBase64.split(',')[1], 'base64'))).toBe(brCode);
  });

  it('expires after 24 hours unless told otherwise', async () => {
    const sandbox = await serve();
    const lasts = async (more: Record<string, unknown>) => {
      const { createdAt, expiresAt } = await sandbox.charge(1_050, more);
      return (Date.parse(expiresAt) - Date.parse(createdAt)) / 1_000;
    };
    expect(await lasts({})).toBe(86_400);
    expect(await lasts({ expiresIn: 60 })).toBe(60);
    expect(await lasts({ expiresIn: 2_592_000 })).toBe(2_592_000);
  });

  it.each([
    ['the smallest amount', { amount: 100 }],
    ['the largest amount', { amount: 100_000_000 }],
    ['a description of 140 characters', { description: 'x'.repeat(140) }],
    ['an empty description', { description: '' }],
  ])('takes %s', async (_, more) => {
    const sandbox = await serve();
    expect((await sandbox.post('/transparents/create', body(more))).status).toBe(201);
  });

  it.each([
    ['an amount of 99', { amount: 99 }, 'amount'],
    ['an amount of 100000001', { amount: 100_000_001 }, 'amount'],
    ['an amount of 0', { amount: 0 }, 'amount'],
    ['a negative amount', { amount: -100 }, 'amount'],
    ['an amount beyond what JSON numbers count', { amount: 2 ** 60 }, 'amount'],
  ])('refuses %s with 400 BAD_REQUEST', async (_, more, field) => {
    const sandbox = await serve();
    const reply = await sandbox.post('/transparents/create', body(more));
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({
      error: 'BAD_REQUEST',
      message: expect.stringContaining(field),
      success: false,
    });
  });

  it.each([2 ** 60, -1e300])('refuses an amount of %d with the bound of the document', async (amount) => {
    const sandbox = await serve();
    const message = 'amount: must be from 100 to 100000000 cents';
    expect((await sandbox.post('/transparents/create', body({ amount }))).body).toMatchObject({ message });
    const withdrawal = { amount, pixKey: '12345678909', pixKeyType: 'CPF' };
    expect((await sandbox.post('/withdrawals', withdrawal)).body.message).toBe(
      amount < 0 ? 'amount: must be at least 50' : 'amount: must be at most 100000000',
    );
  });

  it.each([
    ['method', { method: 'CARD' }],
    ['method', { method: undefined }],
    ['amount', { amount: undefined }],
    ['amount', { amount: 10.5 }],
    ['amount', { amount: '1050' }],
    ['amount', { amount: null }],
    ['description', { description: 'x'.repeat(141) }],
    ['description', { description: 1 }],
    ['description', { description: null }],
    ['customerId', { customerId: 'c'.repeat(51) }],
    ['customerId', { customerId: 7 }],
    ['expiresIn', { expiresIn: 59 }],
    ['expiresIn', { expiresIn: 2_592_001 }],
    ['expiresIn', { expiresIn: 60.5 }],
    ['expiresIn', { expiresIn: '60' }],
    ['color', { color: 'blue' }],
    ['constructor', { constructor: {} }],
  ])('refuses a bad %s with 400 VALIDATION_ERROR that names it: %j', async (field, more) => {
    const sandbox = await serve();
    const reply = await sandbox.post('/transparents/create', body(more));
    expect(reply.status).toBe(400);
    expect(reply.body.error).toBe('VALIDATION_ERROR');
    expect(reply.body.message).toMatch(new RegExp(`^${field}: `));
  });

  it('refuses with 400 BAD_REQUEST when charges are disabled, or no PIX key is active', async () => {
    const sandbox = await serve();
    for (const wrong of [{ chargesEnabled: false }, { chargesEnabled: true, pixKey: null }]) {
      sandbox.setMerchant(wrong);
      const reply = await sandbox.post('/transparents/create', body({}));
      expect([reply.status, reply.body.error]).toEqual([400, 'BAD_REQUEST']);
    }
  });

  it("keeps to the merchant's own bounds, both edges", async () => {
    const sandbox = await serve({ merchant: { minTicket: 500, maxTicket: 900 } });
    const answers = [499, 500, 900, 901].map((amount) =>
      sandbox.post('/transparents/create', body({ amount })),
    );
    const codes = (await Promise.all(answers)).map((reply) => reply.body.error ?? reply.status);
    expect(codes).toEqual(['BAD_REQUEST', 201, 201, 'BAD_REQUEST']);
  });

  it('validates before it applies business rules', async () => {
    const sandbox = await serve({ merchant: { chargesEnabled: false } });
    const reply = await sandbox.post('/transparents/create', body({ expiresIn: 1 }));
    expect(reply.body.error).toBe('VALIDATION_ERROR');
  });
});

describe('the customer of a charge', () => {
  const maria = { name: 'Maria', email: 'maria@example.com', taxId: '12345678909', phone: '+5511987654321' };

  it('is embedded as a summary', async () => {
    const sandbox = await serve();
    const { id } = sandbox.addCustomer(maria);
    const charge = await sandbox.charge(1_050, { customerId: id });
    expect(charge.customer).toEqual({ id, ...maria });
  });

  it('must exist, not be removed, and be of the same merchant: else 404 NOT_FOUND', async () => {
    const sandbox = await serve();
    const removed = sandbox.addCustomer(maria).id;
    sandbox.removeCustomer(removed);
    const other = sandbox.addMerchant();
    const foreign = await sandbox.control('POST', '/customers', { ...maria, merchantId: other.id });
    for (const customerId of ['cust_none', removed, foreign.body.id, 'c'.repeat(50), '']) {
      const reply = await sandbox.post('/transparents/create', body({ customerId }));
      expect([customerId, reply.status, reply.body.error]).toEqual([customerId, 404, 'NOT_FOUND']);
    }
  });

  it('stays on the charge when it is removed later', async () => {
    const sandbox = await serve();
    const { id } = sandbox.addCustomer(maria);
    const charge = await sandbox.charge(1_050, { customerId: id });
    sandbox.removeCustomer(id);
    const read = await sandbox.get(`/transparents/check?id=${charge.id}`);
    expect(read.body.data.customer.name).toBe('Maria');
  });
});
