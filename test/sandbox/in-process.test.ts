/** `startSandbox` as other people's tests use it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { startReceiver } from '../support/receiver.ts';
import { emptyHome } from '../support/run.ts';
import { serve } from './support/over-http.ts';

/** A program that closes its sandbox while a call has an hour to wait. */
const closesEarly = `
  const { startSandbox } = await import(${JSON.stringify(import.meta.resolve('../../src/sandbox/index.ts'))});
  const sandbox = await startSandbox();
  sandbox.faults.add({ target: 'api', effect: { kind: 'latency', ms: 3_600_000 } });
  const held = fetch(sandbox.url + '/withdrawals').catch(() => {});
  while (sandbox.faults.list()[0].fired === 0) await new Promise(setImmediate);
  await sandbox.close();
  await held;
`;

/** A program that replaces its timers before it starts its first sandbox. */
const fakesEarly = `
  const { get } = await import('node:http');
  const { startSandbox } = await import(${JSON.stringify(import.meta.resolve('../../src/sandbox/index.ts'))});
  const never = () => ({ unref() {} });
  Object.assign(globalThis, { setTimeout: never, setImmediate: never });
  const sandbox = await startSandbox();
  sandbox.faults.add({ target: 'api', effect: { kind: 'latency', ms: 1 } });
  const headers = { authorization: 'Bearer ' + sandbox.apiKey };
  const { statusCode } = await new Promise((resolve) => get(sandbox.url + '/withdrawals', { headers }, resolve));
  console.log(statusCode, (await sandbox.clock.advance('1h')).settled);
  await sandbox.close();
`;

it('says which Node it needs if the running one lacks what it uses', async () => {
  const index = import.meta.resolve('../../src/sandbox/index.ts');
  const child = spawn(process.execPath, [
    ...['--input-type=module', '-e'],
    `delete JSON.isRawJSON; const { startSandbox } = await import(${JSON.stringify(index)});
     await startSandbox().catch(({ code, message }) => console.log(code + ': ' + message));`,
  ]);
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  await once(child, 'close');
  expect(said).toBe('USAGE: startSandbox needs Node 22.22.2, 24.15 or 26, or newer; this one is older\n');
});

describe('several sandboxes in one process', () => {
  it('do not know of each other', async () => {
    const [one, two] = [await serve(), await serve()];
    const { id } = await one.charge();
    expect(two.url).not.toBe(one.url);
    expect((await two.get('/transparents/list')).body.data).toEqual([]);
    expect((await two.get('/withdrawals', { authorization: `Bearer ${one.apiKey}` })).status).toBe(401);
    await one.clock.advance('30d');
    expect(two.clock.now()).toBeLessThan(one.clock.now() - 29 * 86_400_000);
    expect(() => two.pay(id)).toThrow(/does not exist/);
    one.faults.preset('flaky');
    expect(two.faults.list()).toEqual([]);
    await one.close();
    expect((await two.get('/withdrawals')).status).toBe(200);
  });
});

describe('reset', () => {
  it('forgets records, faults, merchants and revocations, and keeps address, key and clock', async () => {
    const sandbox = await serve({ merchant: { available: 5_000, minTicket: 300 } });
    const { url, apiKey, merchantId } = sandbox;
    await sandbox.charge();
    sandbox.addMerchant();
    sandbox.setMerchant({ available: 1, minTicket: 100 });
    sandbox.faults.preset('rate-limited');
    sandbox.revokeKey(apiKey);
    await sandbox.clock.advance('1h');
    const now = sandbox.clock.now();
    await sandbox.reset();
    expect([sandbox.url, sandbox.apiKey, sandbox.merchantId]).toEqual([url, apiKey, merchantId]);
    expect((await sandbox.get('/transparents/list')).body.data).toEqual([]);
    expect(sandbox.merchant()).toMatchObject({ minTicket: 300, balance: { available: 5_000, pending: 0 } });
    expect((await sandbox.control('GET', '/merchants')).body).toHaveLength(1);
    expect(sandbox.clock.now()).toBeGreaterThanOrEqual(now);
  });

  it('does not wait for a receiver that never answers, and what comes after is delivered', async () => {
    await using hook = await startReceiver('hang', 'hang', 200);
    const sandbox = await serve({ deliveryTimeoutMs: 86_400_000 });
    const register = () => sandbox.post('/webhooks', { url: hook.url, events: ['CHARGE_PAID'] });
    await register();
    sandbox.trigger('CHARGE_PAID');
    sandbox.trigger('CHARGE_PAID');
    await hook.arrived(2);
    await sandbox.reset();
    expect([sandbox.events(), sandbox.deliveries()]).toEqual([[], []]);
    await register();
    sandbox.trigger('CHARGE_PAID');
    await sandbox.clock.advance(0);
    expect(sandbox.deliveries()).toMatchObject([{ state: 'DELIVERED', attempts: [{ number: 1 }] }]);
  });

  it('cuts short an advance that waits for such a receiver, without an error in an attempt that has not connected', async () => {
    await using hook = await startReceiver();
    hook.otherwise = 'hang';
    const failures: unknown[] = [];
    const sandbox = await serve({ deliveryTimeoutMs: 86_400_000, onError: (error) => failures.push(error) });
    await sandbox.post('/webhooks', { url: hook.url, events: ['CHARGE_PAID'] });
    for (let count = 0; count < 20; count += 1) sandbox.trigger('CHARGE_PAID');
    const advanced = sandbox.clock.advance('1h');
    await hook.arrived(1);
    sandbox.trigger('CHARGE_PAID');
    await sandbox.reset();
    expect((await advanced).settled).toBe(false);
    expect(failures).toEqual([]);
  });
});

describe('a call that is held back', () => {
  it.each(['reset', 'restore'] as const)('has no effect on the world after a %s', async (exchange) => {
    const sandbox = await serve();
    const before = sandbox.snapshot();
    sandbox.faults.add({ target: 'api', effect: { kind: 'latency', ms: 300 }, times: 1 });
    const held = sandbox.charge().catch((error: unknown) => error);
    await expect.poll(() => sandbox.faults.list()[0]?.fired).toBe(1);
    await (exchange === 'reset' ? sandbox.reset() : sandbox.restore(before));
    await held;
    expect((await sandbox.get('/transparents/list')).body.data).toEqual([]);
  });
});

describe('a seed', () => {
  it('gives the same ids, key and codes in each run', async () => {
    const run = async () => {
      const sandbox = await serve({ seed: 'fixed' });
      const { id, txid, brCode } = await sandbox.charge(1_234);
      return { apiKey: sandbox.apiKey, id, txid, brCode };
    };
    expect(await run()).toEqual(await run());
  });

  it('does not draw the same ids again when the state goes on', async () => {
    const state = `${emptyHome()}/state.db`;
    const options = { seed: 'fixed', state };
    const first = await serve(options);
    const { id } = await first.charge();
    await first.close();
    const second = await serve(options);
    expect(second.apiKey).toBe(first.apiKey);
    expect((await second.charge()).id).not.toBe(id);
  });
});

describe('the clock', () => {
  it.each([
    Number.NaN,
    -1,
    0.5,
    Number.POSITIVE_INFINITY,
    367 * 86_400_000,
    undefined,
    new Date(),
    '367d',
    'soon',
    '60',
  ])('refuses to go forward by %s, and goes on', async (by) => {
    const sandbox = await serve();
    await expect(sandbox.clock.advance(by as number)).rejects.toThrow(/duration/);
    expect(sandbox.clock.now()).toBeLessThan(Date.now() + 60_000);
    expect(await sandbox.charge()).toMatchObject({ status: 'PENDING' });
  });
});

describe('seeded charges', () => {
  it.each([
    [{}, 100, 50_000],
    [{ minTicket: 200 }, 200, 50_000],
    [{ minTicket: 60_000 }, 60_000, 60_000],
    [{ maxTicket: 150 }, 100, 150],
  ])(
    'of a merchant with %o are R$ 1,00 to R$ 500,00, or as near as the tickets allow',
    async (merchant, least, most) => {
      const sandbox = await serve({ merchant });
      expect(sandbox.seed({ charges: 200 })).toEqual({ charges: 200, customers: 0 });
      const { data } = (await sandbox.get('/transparents/list?limit=100')).body;
      const amounts = (data as { amount: number }[]).map(({ amount }) => amount);
      expect(amounts).toHaveLength(100);
      expect(Math.min(...amounts)).toBeGreaterThanOrEqual(least);
      expect(Math.max(...amounts)).toBeLessThanOrEqual(most);
    },
  );
});

describe('waitForEvent', () => {
  it('accepts no event for undefined, and any event for an empty filter', async () => {
    const sandbox = await serve();
    const { id } = sandbox.trigger('CHECKOUT_PAID');
    await expect(sandbox.waitForEvent(undefined as never)).rejects.toThrow(
      "waitForEvent takes an event's name or a filter ({} for any event), not undefined",
    );
    expect((await sandbox.waitForEvent({})).id).toBe(id);
  });

  it('hands out an event of a restored world, even if one with its number was handed out before', async () => {
    await using elsewhere = await startSandbox();
    elsewhere.trigger('CHARGE_PAID', { of: 'elsewhere' });
    await using sandbox = await startSandbox();
    sandbox.trigger('CHARGE_PAID', { of: 'here' });
    const own = sandbox.snapshot();
    expect(await sandbox.waitForEvent('CHARGE_PAID')).toMatchObject({ seq: 1, data: { of: 'here' } });
    await sandbox.restore(elsewhere.snapshot());
    expect(await sandbox.waitForEvent('CHARGE_PAID')).toMatchObject({ seq: 1, data: { of: 'elsewhere' } });
    await sandbox.restore(own);
    await expect(sandbox.waitForEvent('CHARGE_PAID', 1)).rejects.toThrow('no further event');
  });

  it('hands out what a restored world has, older and younger than what is waited for meanwhile', async () => {
    await using elsewhere = await startSandbox();
    for (const of of ['first', 'second', 'third']) elsewhere.trigger('CHARGE_PAID', { of });
    await using sandbox = await startSandbox();
    sandbox.trigger('CHARGE_PAID');
    sandbox.trigger('CHARGE_PAID');
    await sandbox.waitForEvent('CHARGE_PAID');
    await sandbox.waitForEvent('CHARGE_PAID');
    const waiting = sandbox.waitForEvent('CHARGE_PAID');
    await sandbox.restore(elsewhere.snapshot());
    const seen = [await waiting];
    for (let more = 0; more < 2; more++) seen.push(await sandbox.waitForEvent('CHARGE_PAID'));
    expect(seen.map(({ data }) => data.of).sort()).toEqual(['first', 'second', 'third']);
  });

  it('keeps what one filter passed over for another', async () => {
    await using sandbox = await startSandbox();
    const first = sandbox.trigger('CHARGE_PAID', { id: 'chg_a' });
    const second = sandbox.trigger('CHARGE_PAID', { id: 'chg_b' });
    const newest = { event: 'CHARGE_PAID', order: 'newest-first' } as const;
    expect((await sandbox.waitForEvent(newest)).id).toBe(second.id);
    expect((await sandbox.waitForEvent('CHARGE_PAID')).id).toBe(first.id);
    await expect(sandbox.waitForEvent('CHARGE_PAID', 1)).rejects.toThrow('no further event');
    await expect(sandbox.waitForEvent({ about: 'chg_b' }, 1)).rejects.toThrow('no further event');
  });

  it('resolves with an event that comes, and rejects when none does', async () => {
    const sandbox = await serve();
    const { id } = await sandbox.charge();
    const waiting = sandbox.waitForEvent({ event: 'CHARGE_PAID', about: id });
    sandbox.pay(id);
    expect(await waiting).toMatchObject({ event: 'CHARGE_PAID', data: { id } });
    await expect(sandbox.waitForEvent('REFUND_COMPLETED', 1)).rejects.toThrow(/REFUND_COMPLETED/);
  });

  it('rejects at once when the sandbox is closed, and from then on, but hands out what came before', async () => {
    const sandbox = await startSandbox();
    const waiting = sandbox.waitForEvent('CHARGE_PAID', 60_000).catch((error: unknown) => error);
    const lucky = sandbox.waitForEvent('CHECKOUT_PAID', 60_000);
    sandbox.trigger('CHECKOUT_PAID');
    await sandbox.close();
    expect(await lucky).toMatchObject({ event: 'CHECKOUT_PAID' });
    const message = 'the sandbox was closed before an event {"event":"CHARGE_PAID"} came';
    expect(await waiting).toMatchObject({ code: 'CLOSED', message });
    await expect(sandbox.waitForEvent('CHARGE_PAID')).rejects.toThrow(message);
  });

  it.each([Number.NaN, -1, 'soon', 5n, Symbol('soon')])('refuses to wait for %s', async (timeoutMs) => {
    const sandbox = await serve();
    await expect(sandbox.waitForEvent('CHARGE_PAID', timeoutMs as never)).rejects.toThrow(
      'waitForEvent waits milliseconds, from 0 on, not ',
    );
  });

  it('says of a name that the document does not show that it may be misspelt', async () => {
    const sandbox = await serve();
    await expect(sandbox.waitForEvent('CHARGE_PAYD', 1)).rejects.toThrow(
      'no further event {"event":"CHARGE_PAYD"} came within 1 ms. CHARGE_PAYD is not a documented event; it is used as it is. Did you mean CHARGE_PAID?',
    );
    sandbox.trigger('CHECKOUT_ABANDONED');
    expect(await sandbox.waitForEvent('CHECKOUT_ABANDONED')).toMatchObject({ event: 'CHECKOUT_ABANDONED' });
  });

  it.each(['charge_paid', ''])('refuses %j, which no event can be called', async (name) => {
    const sandbox = await serve();
    const message = 'event: must be an upper-case event name, not ';
    const event = name as string;
    await expect(sandbox.waitForEvent(event, 60_000)).rejects.toThrow(message);
    expect(() => sandbox.events({ event })).toThrow(message);
    expect(() => sandbox.deliveries({ event })).toThrow(message);
  });

  it('knows events made by hand', async () => {
    const sandbox = await serve();
    sandbox.trigger('CHECKOUT_PAID', { cart: 7 });
    expect((await sandbox.waitForEvent('CHECKOUT_PAID')).data).toMatchObject({ cart: 7 });
  });
});

describe('a fault on events', () => {
  it('of a name that the document does not show warns the process once', async () => {
    const sandbox = await serve();
    const warned: string[] = [];
    const hear = ({ name, message }: Error) => void (name === 'PixctlWarning' && warned.push(message));
    process.on('warning', hear);
    sandbox.faults.add({ target: 'delivery', effect: { kind: 'duplicate' }, events: ['CHARGE_PAID'] });
    sandbox.faults.add({ target: 'delivery', effect: { kind: 'duplicate' }, events: ['CHARGE_PAYD'] });
    sandbox.faults.preset('late-events', { events: ['SUBSCRIPTION_ENDED'] });
    await setImmediate();
    process.off('warning', hear);
    expect(warned).toEqual([
      'CHARGE_PAYD is not a documented event; it is used as it is. Did you mean CHARGE_PAID?',
      'SUBSCRIPTION_ENDED is not a documented event; it is used as it is.',
    ]);
    expect(sandbox.faults.list()).toHaveLength(3);
  });

  it('of a name that no event can have is refused', async () => {
    const sandbox = await serve();
    const add = () =>
      sandbox.faults.add({ target: 'delivery', effect: { kind: 'duplicate' }, events: ['charge_paid'] });
    expect(add).toThrow('must be an upper-case event name');
    expect(sandbox.faults.list()).toEqual([]);
  });
});

describe('a call in JavaScript', () => {
  it('that misspells its filter is refused: everything would match', async () => {
    const sandbox = await serve();
    sandbox.trigger('CHARGE_PAID');
    const wrong = { name: 'REFUND_COMPLETED' } as never;
    await expect(sandbox.waitForEvent(wrong, 1)).rejects.toThrow('name: is not known in a filter of events');
    expect(() => sandbox.events(wrong)).toThrow('name: is not known');
    expect(() => sandbox.events('REFUND_COMPLETED' as never)).toThrow('must be an object');
    expect(() => sandbox.events({ limit: 'all' } as never)).toThrow(
      'limit: must be a whole number from 1 on',
    );
    expect(() => sandbox.deliveries({ status: 'FAILED' } as never)).toThrow('did you mean state?');
    expect(() => sandbox.deliveries({ state: 'failed' })).toThrow('state: must be "PENDING" or');
    expect(sandbox.events({ event: undefined, limit: 5 })).toHaveLength(1);
  });

  it("without an id is refused in words that are not the database's", async () => {
    const sandbox = await serve();
    const none = undefined as never;
    const calls: [() => unknown, string][] = [
      [() => sandbox.pay(none), 'the id of a charge must be a string, not undefined'],
      [() => sandbox.expire(none), 'the id of a charge must be a string, not undefined'],
      [() => sandbox.dispute({ id: 'chg_1' } as never), 'the id of a charge must be a string, not an object'],
      [() => sandbox.completeWithdrawal(none), 'the id of a withdrawal must be a string, not undefined'],
      [() => sandbox.completeWithdrawal(7), 'the id of a withdrawal must be a string, not 7'],
      [() => sandbox.failWithdrawal(none), 'the id of a withdrawal must be a string, not undefined'],
      [
        () => sandbox.failWithdrawal('wd_1', 5 as never),
        'the reason of a failure must be a string of 1 to 500 characters, not 5',
      ],
      [() => sandbox.removeCustomer(none), 'the id of a customer must be a string, not undefined'],
      [() => sandbox.revokeKey(none), 'an API key must be a string, not undefined'],
    ];
    for (const [call, message] of calls) {
      expect(call).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', message }));
    }
  });

  it('makes no event of what no endpoint could subscribe to, or of data that is no object', async () => {
    const sandbox = await serve();
    for (const event of ['charge_paid', 'CHARGE PAID', '', 5, undefined]) {
      expect(() => sandbox.trigger(event as never)).toThrow('event: must be an upper-case event name, not ');
    }
    for (const data of ['x', null, [1]]) {
      expect(() => sandbox.trigger('CHARGE_PAID', data as never)).toThrow('data: must be an object, not ');
    }
    expect(sandbox.events()).toEqual([]);
    expect(sandbox.trigger('NEW_EVENT', { a: 1 })).toMatchObject({ event: 'NEW_EVENT', data: { a: 1 } });
  });

  it('makes no event of data that JSON cannot write, and says which', async () => {
    const sandbox = await serve();
    const circle: Record<string, unknown> = {};
    circle.again = [circle];
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 20_000; level++) deep = { deep };
    for (const [data, problem] of [
      [{ amount: 5n }, 'amount is a BigInt, which JSON cannot write'],
      [circle, 'contains itself, which JSON cannot write'],
      [deep, 'is nested too deeply'],
      [{ toJSON: () => 5 }, 'must be an object as JSON, not 5'],
    ] as const) {
      const refusal = { code: 'VALIDATION_ERROR', message: `data: ${problem}` };
      expect(() => sandbox.trigger('CHARGE_PAID', data as never)).toThrow(expect.objectContaining(refusal));
    }
    expect(sandbox.events()).toEqual([]);
    expect(sandbox.trigger('CHARGE_PAID', { id: undefined }).data).toEqual({ id: expect.any(String) });
  });

  it('makes no customer and no records of what is not one', async () => {
    const sandbox = await serve();
    const ana = { name: 'Ana', email: 'ana@example.com', taxId: '12345678909' };
    for (const [customer, message] of [
      [{ ...ana, taxId: 12_345_678_909 }, 'taxId: must be a string, not 12345678909'],
      [
        { ...ana, fone: '+5511987654321' },
        'fone: is not known in a customer; it takes name, email, taxId, phone',
      ],
      [{ ...ana, name: undefined }, 'name: must not be empty'],
      [{ ...ana, name: 'a'.repeat(201) }, 'name: must be a string of 0 to 200 characters, not "aaaa'],
      [undefined, 'a customer must be an object, not undefined'],
    ] as const) {
      expect(() => sandbox.addCustomer(customer as never)).toThrow(message);
    }
    for (const wanted of [{ charge: 5 }, { charges: -1 }, { charges: 2.5 }, { charges: '2' }]) {
      expect(() => sandbox.seed(wanted as never)).toThrow(/charges?: /);
    }
    expect((await sandbox.control('GET', '/customers')).body).toEqual([]);
    expect(sandbox.addCustomer({ ...ana, phone: undefined })).toMatchObject({ taxId: '12345678909' });
  });
});

describe('a snapshot', () => {
  it.each([undefined, null, {}, 'bytes'])('is no %o', async (bytes) => {
    const sandbox = await serve();
    await expect(sandbox.restore(bytes as never)).rejects.toThrow('restore takes the bytes of a snapshot');
  });

  it('brings records and balance back, and the key of this sandbox goes on working', async () => {
    const one = await serve();
    const { id } = await one.charge(900);
    one.pay(id);
    const snapshot = one.snapshot();
    const two = await serve();
    await two.restore(snapshot);
    expect((await two.get(`/transparents/check?id=${id}`)).body.data.status).toBe('PAID');
    expect(two.merchant().balance.available).toBe(900);
    expect(two.merchantId).toBe(one.merchantId);
  });
});

describe('startSandbox', () => {
  it.each([
    [
      { undocumentd: 'error' },
      'undocumentd: is not known in the options of startSandbox; did you mean undocumented?',
    ],
    [
      { withdrawalStep: '2s' },
      'withdrawalStep: is not known in the options of startSandbox; did you mean withdrawalStepMs?',
    ],
    [{ faults: [] }, 'faults: is not known in the options of startSandbox; it takes port, state, merchant,'],
    [{ port: '8080' }, 'port: must be a whole number from 0 to 65535, not "8080"'],
    [{ port: 70_000 }, 'port: must be a whole number from 0 to 65535, not 70000'],
    [{ withdrawals: 'instant' }, 'withdrawals: must be "immediate" or "timed" or "manual", not "instant"'],
    [{ undocumented: true }, 'undocumented: must be "assume" or "error" or "random", not true'],
    [{ withdrawalStepMs: '2s' }, 'withdrawalStepMs: must be a whole number from 0 to 31622400000, not "2s"'],
    [
      { withdrawalStepMs: Number.NaN },
      'withdrawalStepMs: must be a whole number from 0 to 31622400000, not NaN',
    ],
    [{ deliveryTimeoutMs: 0 }, 'deliveryTimeoutMs: must be a whole number from 1 to 2147483647, not 0'],
    [{ state: '' }, 'state: must be a string that is not empty, not ""'],
    [{ seed: 42 }, 'seed: must be a string or null, not 42'],
    [{ seed: 'x'.repeat(1_001) }, 'seed: must be at most 1000 characters, not 1001'],
    [{ assume: null }, 'assume: must be an object, not null'],
    [{ merchant: [] }, 'merchant: must be an object, not an array'],
    [null, 'the options of startSandbox must be an object, not null'],
    [
      { merchant: { availble: 5 } },
      'availble: is not known in the settings of a merchant; did you mean available?',
    ],
    [{ merchant: { chargesEnabled: 'no' } }, 'chargesEnabled: must be true or false, not "no"'],
    [{ merchant: { withdrawalFee: -5 } }, 'withdrawalFee: must be a whole number from 0 on, not -5'],
    [{ merchant: { available: '5' } }, 'available: must be a whole number of cents, not "5"'],
  ])('refuses %o, naming what is wrong', async (options, message) => {
    await expect(startSandbox(options as never)).rejects.toThrow(message);
  });

  it('takes an option or a setting that is undefined as left out', async () => {
    const none = { port: undefined, seed: undefined, merchant: { name: undefined, available: undefined } };
    const sandbox = await serve(none as never);
    expect(sandbox.merchant()).toMatchObject({ name: 'Loja Sandbox', balance: { available: 0 } });
    expect(sandbox.setMerchant({ name: undefined, withdrawalFee: 7 } as never)).toMatchObject({
      name: 'Loja Sandbox',
      withdrawalFee: 7,
    });
  });

  it('leaves no merchant behind if its settings are wrong', async () => {
    const sandbox = await serve();
    const before = sandbox.merchant();
    expect(() => sandbox.setMerchant({ fee: 5 } as never)).toThrow('fee: is not known');
    expect(() => sandbox.setMerchant({ withdrawalFee: '5' } as never)).toThrow('withdrawalFee: must be');
    expect(() => sandbox.addMerchant({ minTicket: 1.5 })).toThrow('minTicket: must be');
    expect(sandbox.merchant()).toEqual(before);
  });

  it('says that a port is taken, and leaves nothing behind', async () => {
    const sandbox = await serve();
    const state = `${emptyHome()}/state.db`;
    const port = Number(new URL(sandbox.url).port);
    await expect(startSandbox({ port, state })).rejects.toThrow(`port ${port} on 127.0.0.1 is taken`);
    await (await startSandbox({ state })).close();
  });

  it('may be closed while a call is held back: the call has no effect and causes no error', async () => {
    const bugs: unknown[] = [];
    const sandbox = await serve({ onError: (error) => bugs.push(error) });
    sandbox.faults.add({ target: 'api', effect: { kind: 'latency', ms: 50 } });
    const held = sandbox.charge().catch((error: unknown) => error);
    await expect.poll(() => sandbox.faults.list()[0]?.fired).toBe(1);
    await sandbox.close();
    expect(await held).toBeInstanceOf(Error);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(bugs).toEqual([]);
  });

  it('goes on in a test that fakes the timers of its process', async () => {
    await using hook = await startReceiver(500, 200);
    const sandbox = await serve();
    await sandbox.post('/webhooks', { url: hook.url, events: ['CHARGE_PAID'] });
    sandbox.faults.add({ target: 'api', effect: { kind: 'latency', ms: 1 } });
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const charge = await sandbox.charge();
    sandbox.pay(charge.id);
    await hook.arrived(1);
    expect(await sandbox.clock.advance('2s')).toMatchObject({ settled: true });
    expect(sandbox.deliveries()).toMatchObject([{ state: 'DELIVERED', attempts: [{}, {}] }]);
  });

  it('starts and goes on in a test that faked the timers before', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', fakesEarly], { timeout: 100_000 });
    let said = '';
    child.stdout.on('data', (chunk) => (said += chunk));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(said).toBe('200 true\n');
  });

  it('lets its process end even if a call is held back', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', closesEarly], { timeout: 100_000 });
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('says after its end that it is closed, whatever is asked of it', async () => {
    const sandbox = await startSandbox();
    const snapshot = sandbox.snapshot();
    await sandbox.close();
    const message = 'this sandbox is closed';
    expect(() => sandbox.pay('chg_1')).toThrow(message);
    expect(() => sandbox.events()).toThrow(message);
    expect(() => sandbox.merchant()).toThrow(message);
    expect(() => sandbox.setMerchant({ minTicket: 200 })).toThrow(message);
    expect(() => sandbox.snapshot()).toThrow(message);
    await expect(sandbox.reset()).rejects.toThrow(message);
    await expect(sandbox.restore(snapshot)).rejects.toThrow(message);
    await expect(sandbox.clock.advance('1s')).rejects.toThrow(message);
  });

  it('may be closed twice, and by `await using`', async () => {
    const sandbox = await startSandbox();
    await sandbox.close();
    await sandbox.close();
    let url = '';
    {
      await using scoped = await startSandbox();
      url = scoped.url;
    }
    await expect(fetch(url)).rejects.toThrow();
  });
});
