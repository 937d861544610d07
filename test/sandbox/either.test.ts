/** One suite for a sandbox in this process and for one that is reached over HTTP: it awaits each answer. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { type AnySandbox, connectSandbox, type SandboxOptions } from '../../src/sandbox/index.ts';
import { startReceiver } from '../support/receiver.ts';
import { serve } from './support/over-http.ts';

interface Place {
  /** The sandbox as the test drives it, and the service as a program calls it. */
  start(options?: SandboxOptions): Promise<{ sandbox: AnySandbox; api: Api }>;
}
type Api = (method: string, path: string, body?: object) => Promise<{ status: number; data: Data }>;
/** biome-ignore lint/suspicious/noExplicitAny: what came over the wire is of no known type */
type Data = any;

const apiOf =
  ({ url, apiKey }: Pick<AnySandbox, 'url' | 'apiKey'>): Api =>
  async (method, path, body) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const response = await fetch(url + path, { method, headers, body: body ? JSON.stringify(body) : null });
    const { data } = (await response.json()) as { data: Data };
    return { status: response.status, data };
  };

const places: readonly (readonly [string, Place])[] = [
  [
    'in this process',
    {
      async start(options) {
        const sandbox = await serve(options);
        return { sandbox, api: apiOf(sandbox) };
      },
    },
  ],
  [
    'over HTTP',
    {
      async start(options) {
        const sandbox = await connectSandbox(await serve(options));
        onTestFinished(() => sandbox.close());
        return { sandbox, api: apiOf(sandbox) };
      },
    },
  ],
  [
    'over HTTP, as a merchant of its own',
    {
      async start({ merchant, ...options } = {}) {
        const { url, apiKey } = await serve(options);
        const shared = await connectSandbox({ url, apiKey });
        const sandbox = await connectSandbox({ url, ...(await shared.addMerchant(merchant)) });
        onTestFinished(() => sandbox.close());
        return { sandbox, api: apiOf(sandbox) };
      },
    },
  ],
];

const order = { amount: 10_000, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' };

describe.each(places)('a sandbox %s', (_, { start }) => {
  const pendingCharge = async (api: Api, amount = 1_050) =>
    (await api('POST', '/transparents/create', { method: 'PIX', amount })).data.id as string;

  it('has charges paid, expired and disputed', async () => {
    const { sandbox, api } = await start();
    const [paid, expired] = [await pendingCharge(api), await pendingCharge(api)];
    expect(await sandbox.pay(paid)).toMatchObject({ id: paid, status: 'PAID', amount: 1_050 });
    expect(await sandbox.expire(expired)).toMatchObject({ id: expired, status: 'EXPIRED' });
    expect(await sandbox.dispute(paid)).toMatchObject({ id: paid, status: 'DISPUTED' });
  });

  it('has withdrawals completed and failed', async () => {
    const { sandbox, api } = await start({ withdrawals: 'manual', merchant: { available: 50_000 } });
    const send = async () => (await api('POST', '/withdrawals', order)).data.id as string;
    expect(await sandbox.completeWithdrawal(await send())).toMatchObject({ status: 'COMPLETED', fee: 100 });
    expect(await sandbox.failWithdrawal(await send(), 'no such key')).toMatchObject({
      ...{ status: 'FAILED', failedReason: 'no such key' },
    });
    expect(await sandbox.failWithdrawal(await send())).toMatchObject({
      failedReason: 'failed by hand in the sandbox',
    });
    expect((await sandbox.merchant()).balance).toEqual({ available: 39_900, pending: 0 });
  });

  it('takes the id of a withdrawal as a number where the service gives one', async () => {
    const { sandbox, api } = await start({
      ...{ withdrawals: 'manual', assume: { 'withdrawal-id': 'number' } },
      merchant: { available: 50_000 },
    });
    const { id } = (await api('POST', '/withdrawals', order)).data;
    expect(id).toEqual(expect.any(Number));
    expect(await sandbox.completeWithdrawal(id)).toMatchObject({ id: String(id), status: 'COMPLETED' });
  });

  it('has customers', async () => {
    const { sandbox, api } = await start();
    const taxId = '12345678909';
    const made = await sandbox.addCustomer({ name: 'Ana', email: 'ana@example.com', taxId });
    expect(made).toMatchObject({ id: expect.stringMatching(/^cust_/), name: 'Ana', taxId, phone: null });
    expect((await api('GET', `/customers/${made.id}`)).data).toMatchObject({ id: made.id });
    expect(await sandbox.removeCustomer(made.id)).toMatchObject({ id: made.id });
    expect((await api('GET', `/customers/${made.id}`)).status).toBe(404);
  });

  it('has a merchant whose settings change, others, and keys', async () => {
    const { sandbox, api } = await start({ merchant: { available: 300, name: 'Loja' } });
    expect(await sandbox.merchant()).toMatchObject({
      ...{ id: sandbox.merchantId, name: 'Loja', balance: { available: 300, pending: 0 } },
    });
    expect(await sandbox.setMerchant({ available: -50, maxTicket: 900 })).toMatchObject({
      ...{ maxTicket: 900, balance: { available: -50, pending: 0 } },
    });
    expect((await api('POST', '/transparents/create', { method: 'PIX', amount: 901 })).status).toBe(400);
    const other = await sandbox.addMerchant({ name: 'Outra' });
    expect(other).toMatchObject({ name: 'Outra', apiKey: expect.stringMatching(/^svc_sandbox_/) });
    expect(other.id).not.toBe(sandbox.merchantId);
    expect((await apiOf({ url: sandbox.url, apiKey: other.apiKey })('GET', '/withdrawals')).status).toBe(200);
    const further = await sandbox.addKey();
    const own = apiOf({ url: sandbox.url, apiKey: further });
    await pendingCharge(api, 900);
    expect((await own('GET', '/transparents/list')).data).toMatchObject([{ amount: 900 }]);
    expect(await sandbox.revokeKey(further)).toBeUndefined();
    expect((await own('GET', '/transparents/list')).status).toBe(401);
  });

  it('goes on being driven when its own key is revoked', async () => {
    const { sandbox, api } = await start();
    await sandbox.revokeKey(sandbox.apiKey);
    expect((await api('GET', '/withdrawals')).status).toBe(401);
    expect(await sandbox.merchant()).toMatchObject({ id: sandbox.merchantId });
  });

  it('is seeded', async () => {
    const { sandbox, api } = await start();
    expect(await sandbox.seed({ charges: 3, customers: 1 })).toEqual({ charges: 3, customers: 1 });
    expect((await api('GET', '/transparents/list')).data).toHaveLength(3);
  });

  it('delivers, tells who received what, and knows the events', async () => {
    await using hook = await startReceiver(500, 200);
    const { sandbox, api } = await start();
    const endpoint = { url: hook.url, events: ['CHARGE_PAID', 'CHECKOUT_PAID'] };
    const { id: registered } = (await api('POST', '/webhooks', endpoint)).data;
    const id = await pendingCharge(api);
    await sandbox.pay(id);
    expect(await sandbox.clock.advance('10s')).toMatchObject({ settled: true });
    const made = await sandbox.trigger('CHECKOUT_PAID', { cart: 7 });
    expect(made).toMatchObject({ event: 'CHECKOUT_PAID', data: { cart: 7 }, merchantId: sandbox.merchantId });
    await sandbox.clock.advance(0);
    expect((await sandbox.events()).map(({ event }) => event)).toEqual(['CHARGE_PAID', 'CHECKOUT_PAID']);
    expect(await sandbox.events({ about: id, limit: 2_000 })).toMatchObject([{ data: { id } }]);
    expect(await sandbox.events({ order: 'newest-first', limit: 1, event: undefined })).toEqual([made]);
    const deliveries = await sandbox.deliveries({ endpoint: registered });
    expect(deliveries).toMatchObject([
      { event: 'CHECKOUT_PAID', state: 'DELIVERED' },
      { event: 'CHARGE_PAID', attempts: [{ response: { status: 500 } }, { response: { status: 200 } }] },
    ]);
    expect(await sandbox.deliveries({ eventSeq: made.seq })).toEqual(deliveries.slice(0, 1));
    expect(await sandbox.deliveries({ state: 'FAILED' })).toEqual([]);
  });

  it('tells of the calls that were made, on its own clock', async () => {
    const { sandbox, api } = await start();
    await sandbox.clock.freeze();
    await sandbox.clock.advance('2h');
    await api('GET', '/transparents/list');
    await api('GET', '/nope');
    const [refused, listed] = await sandbox.requests();
    expect(refused).toMatchObject({ method: 'GET', target: '/nope', status: 404 });
    expect(listed).toMatchObject({
      ...{ operation: 'listCharges', merchantId: sandbox.merchantId, at: await sandbox.clock.now() },
    });
  });

  it('tells what a program sent, one operation at a time', async () => {
    const { sandbox, api } = await start({ merchant: { available: 50_000 } });
    await sandbox.faults.preset('lost-response', { times: 1 });
    await expect(api('POST', '/withdrawals', order)).rejects.toThrow();
    await api('GET', '/withdrawals');
    const [sent, ...more] = await sandbox.requests({ operation: 'createWithdrawal', limit: undefined });
    expect(more).toEqual([]);
    expect(sent).toMatchObject({ number: 1, method: 'POST', status: null, answer: null });
    expect(JSON.parse(sent?.request ?? '')).toEqual({
      ...{ amount: 10_000, pixKey: 'maria@example.com', pixKeyType: 'EMAIL' },
    });
    expect(await sandbox.requests({ operation: 'createCharge' })).toEqual([]);
    for (let more = 0; more < 101; more++) await api('GET', '/withdrawals');
    expect((await sandbox.requests({ operation: 'listWithdrawals' })).length).toBe(102);
    const since = await sandbox.requests({ operation: 'listWithdrawals', after: 1, limit: 2 });
    expect(since).toMatchObject([
      { number: 103, request: null },
      { number: 102, request: null },
    ]);
    expect(await sandbox.requests({ merchantId: 'merch_none' })).toEqual([]);
  });

  it('tells of calls that a fault answered before they had any effect', async () => {
    const { sandbox, api } = await start({ merchant: { available: 50_000 } });
    await sandbox.faults.preset('lost-request');
    await expect(api('POST', '/withdrawals', order)).rejects.toThrow();
    await sandbox.faults.preset('rate-limited', { times: 1 });
    expect((await api('POST', '/withdrawals', order)).status).toBe(429);
    const { merchantId } = sandbox;
    expect(await sandbox.requests({ operation: 'createWithdrawal' })).toMatchObject([
      { number: 2, merchantId, status: 429 },
      { number: 1, merchantId, status: null },
    ]);
    expect((await sandbox.merchant()).balance).toEqual({ available: 50_000, pending: 0 });
  });

  it('tells of a registration without the secret, which is shown once', async () => {
    const { sandbox, api } = await start();
    const registration = { url: 'https://shop.example/hooks', events: ['CHARGE_PAID'] };
    const { data } = await api('POST', '/webhooks', registration);
    expect(data.secret).toMatch(/^whsec_[0-9a-f]{48}$/);
    const [registered] = await sandbox.requests({ operation: 'createWebhook' });
    expect(JSON.parse(registered?.answer ?? '').data).toEqual({ ...data, secret: 'whsec_...' });
  });

  it('lists the open points', async () => {
    const { sandbox } = await start({ assume: { 'list-lag': '2s' } });
    const all = await sandbox.assumptions();
    expect(all.length).toBeGreaterThan(20);
    expect(all.find(({ id }) => id === 'list-lag')).toMatchObject({ chosen: true, inForce: '2s' });
  });

  it('has a clock that is read, stopped and moved', async () => {
    const { sandbox, api } = await start();
    const id = (await api('POST', '/transparents/create', { method: 'PIX', amount: 100, expiresIn: 60 })).data
      .id;
    await sandbox.clock.freeze();
    const now = await sandbox.clock.now();
    expect(await sandbox.clock.now()).toBe(now);
    expect(await sandbox.clock.advance('1m')).toEqual({ now: now + 60_000, ran: 0, settled: true });
    expect(await sandbox.clock.advance(40)).toMatchObject({ now: now + 60_040 });
    expect((await api('GET', `/transparents/check?id=${id}`)).data).toMatchObject({ status: 'EXPIRED' });
    await sandbox.clock.unfreeze();
    await expect.poll(() => sandbox.clock.now()).toBeGreaterThan(now + 60_040);
  });

  it('has faults, one by one and together', async () => {
    const { sandbox, api } = await start();
    const fault = await sandbox.faults.add({
      target: 'api',
      effect: { kind: 'error', status: 503 },
      times: 1,
    });
    expect(fault).toMatchObject({ fired: 0, rule: { effect: { status: 503, when: 'before' } } });
    expect((await api('GET', '/withdrawals')).status).toBe(503);
    expect(await sandbox.faults.list()).toMatchObject([{ id: fault.id, fired: 1, spent: true }]);
    const [limited] = await sandbox.faults.preset('rate-limited', { times: 1 });
    expect(limited).toMatchObject({ rule: { preset: 'rate-limited', times: 1 } });
    expect((await api('GET', '/withdrawals')).status).toBe(429);
    expect(await sandbox.faults.clear('none')).toBe(0);
    for (const id of ['', '.', '..', '/']) expect(await sandbox.faults.clear(id)).toBe(0);
    expect(await sandbox.faults.clear(fault.id)).toBe(1);
    expect(await sandbox.faults.clear()).toBe(1);
    expect(await sandbox.faults.list()).toEqual([]);
  });

  it('is saved and brought back, and starts over', async () => {
    const { sandbox, api } = await start();
    const id = await pendingCharge(api, 900);
    const before = await sandbox.snapshot();
    await sandbox.pay(id);
    expect((await sandbox.merchant()).balance.available).toBe(900);
    expect(await sandbox.restore(before)).toBeUndefined();
    expect((await api('GET', `/transparents/check?id=${id}`)).data).toMatchObject({ status: 'PENDING' });
    expect((await sandbox.merchant()).balance.available).toBe(0);
    const view = new DataView(before.buffer, before.byteOffset, before.byteLength);
    await sandbox.restore(view as never);
    await expect(sandbox.restore(before.subarray(0, 50))).rejects.toMatchObject({ code: 'NOT_A_SNAPSHOT' });
    expect(await sandbox.reset()).toBeUndefined();
    expect(await sandbox.events()).toEqual([]);
    await expect((async () => sandbox.pay(id))()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('waits for events one after another, past ones and those to come', async () => {
    const { sandbox, api } = await start();
    const [first, second] = [await pendingCharge(api), await pendingCharge(api)];
    await sandbox.pay(first);
    expect(await sandbox.waitForEvent('CHARGE_PAID', 0)).toMatchObject({ data: { id: first } });
    const waiting = sandbox.waitForEvent({ event: 'CHARGE_PAID', about: second }, 60_000);
    await sandbox.pay(second);
    expect(await waiting).toMatchObject({ data: { id: second } });
    await expect(sandbox.waitForEvent('CHARGE_PAID', 1)).rejects.toMatchObject({
      ...{
        code: 'NO_EVENT',
        message: expect.stringMatching(/^no further event .*"CHARGE_PAID".* within 1 ms$/),
      },
    });
    await expect(sandbox.waitForEvent('CHARGE_PAYD', 1)).rejects.toThrow('Did you mean CHARGE_PAID?');
  });

  it('hands out the newest first if it is asked to, and what was passed over later', async () => {
    const { sandbox } = await start();
    const made = [];
    for (let count = 0; count < 3; count++) made.push((await sandbox.trigger('CHARGE_PAID')).id);
    const newest = { event: 'CHARGE_PAID', order: 'newest-first' } as const;
    const next = async (wanted: Parameters<typeof sandbox.waitForEvent>[0]) =>
      (await sandbox.waitForEvent(wanted)).id;
    expect([await next(newest), await next(newest), await next('CHARGE_PAID')]).toEqual([
      ...[made[2], made[1], made[0]],
    ]);
    const waiting = next(newest);
    const { id } = await sandbox.trigger('CHARGE_PAID');
    expect(await waiting).toBe(id);
    await expect(sandbox.waitForEvent({}, 1)).rejects.toThrow('no further event');
  });

  it('hands out what a restored world has, even if its numbers were handed out before', async () => {
    const { sandbox } = await start();
    await sandbox.trigger('CHARGE_PAID', { of: 'first' });
    const before = await sandbox.snapshot();
    await sandbox.trigger('CHARGE_PAID', { of: 'second' });
    for (let count = 0; count < 2; count++) await sandbox.waitForEvent('CHARGE_PAID', 0);
    await sandbox.restore(before);
    await sandbox.trigger('CHARGE_PAID', { of: 'third' });
    expect(await sandbox.waitForEvent('CHARGE_PAID', 0)).toMatchObject({ data: { of: 'third' } });
  });

  it('refuses in the same words, with the same codes', async () => {
    const { sandbox, api } = await start();
    const expired = await pendingCharge(api);
    await sandbox.expire(expired);
    const none = undefined as never;
    const ana = { name: 'Ana', email: 'ana@example.com', taxId: '12345678909' };
    const refusals: Record<string, readonly (readonly [call: () => unknown, message: string])[]> = {
      BAD_REQUEST: [
        [() => sandbox.pay(expired), `charge ${expired} is EXPIRED; only a PENDING one can become PAID`],
      ],
      NOT_FOUND: [
        [() => sandbox.pay('chg_none'), 'charge chg_none does not exist'],
        [() => sandbox.completeWithdrawal('wd_1'), 'withdrawal wd_1 does not exist'],
        [() => sandbox.removeCustomer('cust_1'), 'customer cust_1 does not exist'],
        [() => sandbox.revokeKey('svc_sandbox_none'), 'there is no such API key'],
      ],
      VALIDATION_ERROR: [
        [() => sandbox.pay(none), 'the id of a charge must be a string, not undefined'],
        [
          () => sandbox.failWithdrawal('1', 5 as never),
          'the reason of a failure must be a string of 1 to 500 characters, not 5',
        ],
        [
          () => sandbox.failWithdrawal('1', ''),
          'the reason of a failure must be a string of 1 to 500 characters, not ""',
        ],
        [
          () => sandbox.failWithdrawal('1', 'x'.repeat(501)),
          `the reason of a failure must be a string of 1 to 500 characters, not "${'x'.repeat(40)}..."`,
        ],
        [() => sandbox.addCustomer({ ...ana, name: '' }), 'name: must not be empty'],
        [
          () => sandbox.addCustomer({ ...ana, email: 5 as never }),
          'email: must be a string of 0 to 200 characters, not 5',
        ],
        [() => sandbox.addCustomer(none), 'a customer must be an object, not undefined'],
        [
          () => sandbox.setMerchant({ availble: 5 } as never),
          'availble: is not known in the settings of a merchant; did you mean available?',
        ],
        [() => sandbox.setMerchant({ name: '' }), 'name: must be a string of 1 to 200 characters, not ""'],
        [() => sandbox.setMerchant(none), 'the settings of a merchant must be an object, not undefined'],
        [() => sandbox.addMerchant({ minTicket: 9, maxTicket: 8 }), 'minTicket: 9 is above maxTicket 8'],
        [
          () => sandbox.seed({ charge: 5 } as never),
          'charge: is not known in what is seeded; did you mean charges?',
        ],
        [
          () => sandbox.seed({ charges: 1, merchantId: 'merch_1' } as never),
          'merchantId: is not known in what is seeded; it takes charges, customers',
        ],
        [
          () => sandbox.seed({ charges: 100_001 }),
          'charges: must be a whole number from 0 to 100000, not 100001',
        ],
        [() => sandbox.trigger('paid'), 'event: must be an upper-case event name, not "paid"'],
        [() => sandbox.trigger('PAID', [] as never), 'data: must be an object, not an array'],
        [() => sandbox.trigger('PAID', { a: 5n }), 'data: a is a BigInt, which JSON cannot write'],
      ],
      USAGE: [
        [
          () => sandbox.events({ evnt: 'X' } as never),
          'evnt: is not known in a filter of events; did you mean event?',
        ],
        [
          () => sandbox.deliveries({ state: 'failed' }),
          'state: must be "PENDING" or "DELIVERED" or "FAILED", not "failed"',
        ],
        [
          () => sandbox.requests({ operations: 'createCharge' } as never),
          'operations: is not known in a filter of requests; did you mean operation?',
        ],
        [
          () => sandbox.requests({ operation: 'createCharges' as never }),
          expect.stringMatching(/^operation: must be "createCharge" or .*, not "createCharges"$/),
        ],
        [() => sandbox.requests({ limit: 501 }), 'limit: must be a whole number from 1 to 500, not 501'],
        [
          () => sandbox.waitForEvent(none),
          "waitForEvent takes an event's name or a filter ({} for any event), not undefined",
        ],
        [() => sandbox.waitForEvent('PAID', -1), 'waitForEvent waits milliseconds, from 0 on, not -1'],
        [
          () => sandbox.clock.advance('60'),
          `clock.advance takes a whole number from 0 to 31622400000 (milliseconds), or a duration like '24h', not "60"`,
        ],
        [
          () => sandbox.restore({} as never),
          'restore takes the bytes of a snapshot, a Uint8Array, not an object',
        ],
      ],
      BAD_FAULT: [
        [
          () => sandbox.faults.add({ target: 'api', effect: { kind: 'reset' }, time: 1 } as never),
          'this fault rule is not understood: time: is not an allowed property',
        ],
      ],
      UNKNOWN_PRESET: [
        [
          () => sandbox.faults.preset('slo' as never),
          expect.stringMatching(/^there is no fault preset "slo"; did you mean slow\?/),
        ],
        [() => sandbox.faults.preset(none), expect.stringMatching(/^there is no fault preset /)],
      ],
    };
    for (const [code, cases] of Object.entries(refusals)) {
      for (const [call, message] of cases) {
        const refused = await (async () => call())().then(
          (given) => ({ given }),
          (error: unknown) => error,
        );
        expect(refused, String(call)).toBeInstanceOf(Error);
        expect(refused).toMatchObject({ code, message });
      }
    }
    expect(await sandbox.events()).toEqual([]);
  });

  it('warns of a fault on an event whose name may be misspelt', async () => {
    const { sandbox } = await start();
    const warned: string[] = [];
    const hear = ({ name, message }: Error) => void (name === 'PixctlWarning' && warned.push(message));
    process.on('warning', hear);
    await sandbox.faults.add({ target: 'delivery', effect: { kind: 'duplicate' }, events: ['CHARGE_PAYD'] });
    await expect.poll(() => warned).toHaveLength(1);
    process.off('warning', hear);
    expect(warned[0]).toContain('Did you mean CHARGE_PAID?');
  });

  it('is closed: what waits is told, and nothing is done any more', async () => {
    const { sandbox } = await start();
    const waiting = sandbox.waitForEvent('CHARGE_PAID', 60_000).catch((error: unknown) => error);
    const { id } = await sandbox.trigger('CHECKOUT_PAID');
    await sandbox.close();
    await sandbox.close();
    expect(await waiting).toMatchObject({
      ...{ code: 'CLOSED', message: expect.stringMatching(/was closed before an event .*"CHARGE_PAID"/) },
    });
    await expect((async () => sandbox.pay(id))()).rejects.toThrow(/is closed$/);
    await expect((async () => sandbox.events())()).rejects.toThrow(/is closed$/);
    await expect(sandbox.clock.advance(1)).rejects.toThrow(/is closed$/);
  });
});
