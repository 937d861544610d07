/** How answers are written where the document shows two ways: each can be chosen, and none is marked as a guess. */
import { describe, expect, it, vi } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { serve } from './support/over-http.ts';

const noMark = (headers: Headers) => expect(headers.get('x-sandbox-assumption')).toBeNull();

describe('failure-data', () => {
  it.each([
    ['left-out', ['error', 'message', 'success']],
    ['null', ['data', 'error', 'message', 'success']],
  ])('%s decides the members of every refusal', async (choice, members) => {
    const sandbox = await serve({ assume: { 'failure-data': choice } });
    sandbox.faults.add({
      target: 'api',
      operations: ['listCharges'],
      effect: { kind: 'error', when: 'before', status: 500 },
    });
    const refusals = [
      await sandbox.get('/transparents/check?id=chg_none'),
      await sandbox.get('/transparents/check?id=chg_none', { authorization: 'Bearer wrong' }),
      await sandbox.post('/transparents/create', { method: 'PIX', amount: 1 }),
      await sandbox.get('/transparents/list'),
      await sandbox.get('/nowhere'),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([404, 401, 400, 500, 404]);
    for (const { body } of refusals) {
      expect(Object.keys(body)).toEqual(members);
      expect(body).toEqual(expect.objectContaining(choice === 'null' ? { data: null } : { success: false }));
    }
    for (const { headers } of refusals.slice(0, 3)) noMark(headers);
  });
});

describe('date-time-form', () => {
  it.each([
    ['milliseconds', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
    ['seconds', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
    ['offset', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}-03:00$/],
  ])('%s is how every answer and the data of every event write a time', async (choice, form) => {
    const sandbox = await serve({
      assume: { 'date-time-form': choice, 'refund-shape': 'record' },
      merchant: { available: 100_000 },
      withdrawals: 'manual',
    });
    await using receiver = await startReceiver();
    const events = ['CHARGE_PAID'];
    const hook = (await sandbox.post('/webhooks', { url: receiver.url, events })).body.data;
    const customer = sandbox.addCustomer({ name: 'Ana', email: 'a@example.com', taxId: '12345678909' });
    const asked = Math.floor(Date.now() / 1_000) * 1_000;
    const charge = await sandbox.charge(700, { expiresIn: 60 });
    sandbox.pay(charge.id);
    await receiver.arrived(1);
    const body = { amount: 50, pixKey: '12345678909', pixKeyType: 'CPF' };
    const withdrawal = (await sandbox.post('/withdrawals', body)).body.data;
    const get = async (path: string) => (await sandbox.get(path)).body.data;
    await vi.waitFor(async () => expect(await get(`/webhooks/${hook.id}/deliveries`)).toHaveLength(1));
    const [delivery] = await get(`/webhooks/${hook.id}/deliveries`);
    const refund = (await sandbox.post(`/transparents/refund?id=${charge.id}`)).body.data;
    const { createdAt, updatedAt } = await get(`/customers/${customer.id}`);
    const times = [
      ...[charge.createdAt, charge.expiresAt, (await get('/transparents/list'))[0].createdAt],
      ...[createdAt, updatedAt, hook.createdAt, withdrawal.createdAt, delivery.createdAt, refund.createdAt],
      ...[sandbox.events()[0]?.data.createdAt, sandbox.events()[0]?.data.expiresAt],
    ];
    for (const time of times) expect(time).toMatch(form);
    expect(Date.parse(charge.createdAt) - asked).toBeLessThan(60_000);
    expect(Date.parse(charge.createdAt)).toBeGreaterThanOrEqual(asked);
    expect(Date.parse(charge.expiresAt) - Date.parse(charge.createdAt)).toBe(60_000);
  });

  it('is that of its own sandbox, also where two share a process and a moment', async () => {
    const [first, second] = [
      await serve({ assume: { 'date-time-form': 'offset' } }),
      await serve({ assume: { 'date-time-form': 'seconds' } }),
    ];
    for (const _ of [1, 2, 3]) {
      expect((await first.charge(500)).createdAt).toMatch(/-03:00$/);
      expect((await second.charge(500)).createdAt).toMatch(/:\d\dZ$/);
    }
  });
});

describe('charge-optional-field', () => {
  const shown = async (choice: string) => {
    const sandbox = await serve({ assume: { 'charge-optional-field': choice } });
    const { id } = sandbox.addCustomer({ name: 'Ana', email: 'a@example.com', taxId: '12345678909' });
    const [bare, known] = [
      await sandbox.post('/transparents/create', { method: 'PIX', amount: 500 }),
      await sandbox.post('/transparents/create', { method: 'PIX', amount: 500, customerId: id }),
    ];
    noMark(bare.headers);
    sandbox.pay(bare.body.data.id);
    const read = (await sandbox.get(`/transparents/check?id=${bare.body.data.id}`)).body.data;
    const event = sandbox.events()[0]?.data ?? {};
    return [bare.body.data.customer, read.customer, event.customer, known.body.data.customer.phone];
  };

  it('is null, or left out: of a created charge, a read one, an event, and of a customer in a charge', async () => {
    expect(await shown('null')).toEqual([null, null, null, null]);
    expect(await shown('left-out')).toEqual([undefined, undefined, undefined, undefined]);
  });
});
