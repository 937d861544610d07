/** The calls (document: "Endpoints"), and their bounds ("Limits"): the last value allowed, the first one refused. */
import { describe, expect, it } from 'vitest';
import { eventName } from '../../src/contract/event.ts';
import { recordIdIn } from '../../src/contract/event-data.ts';
import { operations } from '../../src/contract/operations.ts';

describe('every call of the document', () => {
  it('has its method, its path and its one status of success', () => {
    const calls = Object.values(operations).map(
      ({ method, path, success }) => `${method} ${path} ${success}`,
    );
    expect(calls).toEqual([
      'POST /transparents/create 201',
      'GET /transparents/check 200',
      'POST /transparents/refund 200',
      'GET /transparents/list 200',
      'GET /customers/{id} 200',
      'POST /withdrawals 201',
      'GET /withdrawals 200',
      'GET /withdrawals/{id} 200',
      'POST /webhooks 201',
      'GET /webhooks/{id}/deliveries 200',
    ]);
  });
});

const charge = (more: object) => ({ method: 'PIX', amount: 1050, ...more });
const order = (amount: number) => ({ amount, pixKey: '12345678909', pixKeyType: 'CPF' });
const endpoint = (events: number) => ({
  url: 'https://a.example',
  events: Array(events).fill('CHARGE_PAID'),
});

describe('a request body', () => {
  it.each<['createCharge' | 'createWithdrawal' | 'createWebhook', object, boolean]>([
    ['createCharge', charge({ description: 'x'.repeat(140) }), true],
    ['createCharge', charge({ description: 'x'.repeat(141) }), false],
    ['createCharge', charge({ customerId: 'x'.repeat(50) }), true],
    ['createCharge', charge({ customerId: 'x'.repeat(51) }), false],
    ['createCharge', charge({ expiresIn: 60 }), true],
    ['createCharge', charge({ expiresIn: 59 }), false],
    ['createCharge', charge({ expiresIn: 2_592_000 }), true],
    ['createCharge', charge({ expiresIn: 2_592_001 }), false],
    ['createCharge', charge({ amount: 10.5 }), false],
    ['createCharge', charge({ method: 'CARD' }), false],
    ['createCharge', charge({ surprise: 1 }), false],
    ['createWithdrawal', order(50), true],
    ['createWithdrawal', order(49), false],
    ['createWithdrawal', order(100_000_000), true],
    ['createWithdrawal', order(100_000_001), false],
    ['createWithdrawal', { ...order(50), pixKey: '' }, false],
    ['createWithdrawal', { ...order(50), pixKeyType: 'PHONE' }, false],
    ['createWithdrawal', { ...order(50), surprise: 1 }, false],
    ['createWebhook', endpoint(1), true],
    ['createWebhook', endpoint(0), false],
    ['createWebhook', endpoint(8), true],
    ['createWebhook', endpoint(9), false],
    ['createWebhook', { ...endpoint(1), events: ['X'] }, true],
    ['createWebhook', { ...endpoint(1), events: [''] }, false],
    ['createWebhook', { ...endpoint(1), url: '' }, false],
  ])('of %s: %j', (name, body, allowed) => {
    expect(operations[name].body().safeParse(body).success).toBe(allowed);
  });
});

describe('the query of a list', () => {
  it.each([
    [{ limit: 1 }, true],
    [{ limit: 0 }, false],
    [{ limit: 100 }, true],
    [{ limit: 101 }, false],
    [{ after: '' }, false],
    [{ before: '' }, false],
    [{ after: 'c' }, true],
    [{ before: 'c' }, true],
    [{ status: 'PAID' }, false],
  ])('%j', (query, allowed) => {
    expect(operations.listCharges.query().safeParse(query).success).toBe(allowed);
  });
});

describe('the record that the data of an event are about', () => {
  it.each([
    [{ id: 'chg_1', customer: { id: 'cust_1' } }, 'chg_1'],
    [{ withdrawal: { id: 'wd_1' } }, 'wd_1'],
    [{ text: 'x', nothing: null, charge: { id: 7 } }, '7'],
    [{ amount: 1 }, ''],
    [{}, ''],
  ])('%j: %s', (data, id) => {
    expect(recordIdIn(data)).toBe(id);
  });
});

describe('the name of an event', () => {
  it.each([
    ['CHARGE_PAID', true],
    ['V2_X', true],
    ['ABC', true],
    ['AB', false],
    [`A${'B'.repeat(63)}`, true],
    [`A${'B'.repeat(64)}`, false],
    ['charge_paid', false],
    ['xCHARGE_PAID', false],
    ['CHARGE_PAID\n', false],
    ['2ND_EVENT', false],
  ])('%j: %s', (name, allowed) => {
    expect(eventName().safeParse(name).success).toBe(allowed);
  });
});
