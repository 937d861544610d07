/** Webhooks from outside: registration, events of every change, the history, and the control plane's view. */
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { chooseBehaviours } from '../../../src/sandbox/world/choices.ts';
import { startReceiver } from '../../support/receiver.ts';
import { type Served, serve } from '../support/over-http.ts';

const register = (sandbox: Served, url: string, events: unknown = ['CHARGE_PAID']) =>
  sandbox.post('/webhooks', { url, events });

/** Presses a button of the sandbox's page. */
async function onPage({ uiUrl, url }: Served, path: string, fields: Record<string, string>) {
  const { headers } = await fetch(uiUrl, { redirect: 'manual' });
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = await (await fetch(`${url}/__sandbox/ui/clock`, { headers: { cookie } })).text();
  const [, form = ''] = /name="_form" value="([^"]+)"/.exec(page) ?? [];
  const body = new URLSearchParams({ ...fields, _form: form });
  return fetch(`${url}/__sandbox/ui/${path}`, { method: 'POST', headers: { cookie, origin: url }, body });
}

const noUrl = /^url: must be an absolute HTTPS URL$/;
const withoutBlanks = /^url: must be an absolute HTTPS URL without blanks, line ends and backslashes$/;

describe('registering an endpoint', () => {
  it.each([
    ['https://example.com/hook'],
    ['https://user:pass@example.com:8443/a/b?c=d'],
    ['http://127.0.0.1:9/hook'],
    ['http://localhost:9/'],
    ['http://[::1]:9/'],
    ['HTTPS://loja.exämple/ção?q=%20'],
  ])('takes %s', async (url) => {
    const sandbox = await serve();
    const { status, body } = await register(sandbox, url);
    expect(status).toBe(201);
    expect(body).toMatchObject({ success: true, error: null, data: { url, events: ['CHARGE_PAID'] } });
    expect(body.data.id).toMatch(/^wh_/);
    expect(body.data.secret).toMatch(/^whsec_[0-9a-f]{48}$/);
  });

  it.each<[unknown, unknown, RegExp]>([
    [
      'http://example.com/hook',
      ['CHARGE_PAID'],
      /^url: must be an HTTPS URL; a sandbox takes plain http only to/,
    ],
    [
      'http://127.0.0.1.example.com/',
      ['CHARGE_PAID'],
      /^url: must be an HTTPS URL; a sandbox takes plain http only to/,
    ],
    ['ftp://example.com', ['CHARGE_PAID'], /^url: must be an HTTPS URL/],
    ['example.com', ['CHARGE_PAID'], noUrl],
    ['https://example.com/hook\n', ['CHARGE_PAID'], withoutBlanks],
    [' https://example.com/hook', ['CHARGE_PAID'], withoutBlanks],
    ['https://example.com/\u0085', ['CHARGE_PAID'], withoutBlanks],
    ['https://example.com/a b', ['CHARGE_PAID'], withoutBlanks],
    ['https:example.com', ['CHARGE_PAID'], noUrl],
    ['https:///example.com', ['CHARGE_PAID'], noUrl],
    ['https:\\\\example.com\\hook', ['CHARGE_PAID'], noUrl],
    ['https://example.com\\hook', ['CHARGE_PAID'], withoutBlanks],
    ['', ['CHARGE_PAID'], /^url/],
    [`https://example.com/${'a'.repeat(2_048)}`, ['CHARGE_PAID'], /^url: must be at most 2048 characters/],
    ['https://user:50%25%@example.com/', ['CHARGE_PAID'], /^url: must have % only in front of two hex/],
    ['https://%ff@example.com/', ['CHARGE_PAID'], /^url: .* and UTF-8 in them$/],
    [7, ['CHARGE_PAID'], /^url/],
    ['https://example.com', [], /^events/],
    ['https://example.com', 'CHARGE_PAID', /^events/],
    ['https://example.com', undefined, /^events/],
    ['https://example.com', Array.from({ length: 9 }, (_, at) => `EVENT_${at}`), /^events/],
    ['https://example.com', ['charge.paid'], /^events: "charge.paid" is not an event name/],
    ['https://example.com', [7], /^events/],
  ])('refuses %s with %o', async (url, events, message) => {
    const sandbox = await serve();
    const { status, body } = await sandbox.post('/webhooks', { url, events });
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'VALIDATION_ERROR' });
    expect(body.message).toMatch(message);
  });

  it('says about text that should be a list only that, and nothing about its length', async () => {
    const sandbox = await serve();
    const { body } = await sandbox.post('/webhooks', { url: 'https://example.com', events: 'CHARGE_PAID' });
    expect(body.message).toBe('events: must be an array');
  });

  it('takes one to eight events, the eighth by any name of that form, and marks that as assumed', async () => {
    const sandbox = await serve();
    const seven = ['CHARGE_PAID', 'CHARGE_EXPIRED', 'REFUND_COMPLETED', 'WITHDRAWAL_COMPLETED'];
    seven.push('WITHDRAWAL_FAILED', 'CHECKOUT_PAID', 'CHECKOUT_REFUNDED');
    const known = await register(sandbox, 'https://example.com', seven);
    expect(known.status).toBe(201);
    expect(known.headers.get('x-sandbox-assumption')).not.toContain('eighth-event');
    const eight = await register(sandbox, 'https://example.com', [...seven, 'CHARGE_DISPUTED']);
    expect(eight.status).toBe(201);
    expect(eight.headers.get('x-sandbox-assumption')).toContain('eighth-event');
  });

  it.each([
    [{ 'eighth-event': 'refuse' }, 'https://example.com', ['CHARGE_DISPUTED']],
    [{ 'webhook-plain-http': 'refuse' }, 'http://127.0.0.1:9/', ['CHARGE_PAID']],
  ])('may be stricter: %o', async (assume, url, events) => {
    const sandbox = await serve({ assume });
    expect((await register(sandbox, url, events)).status).toBe(400);
  });

  it.each([
    ['http://app:3000/hooks', 201],
    ['http://[fd00::2]:3000/', 201],
    ['http://127.0.0.1:3000/', 201],
    ['http://example.com/', 400],
    ['http://169.254.169.254/', 400],
    ['ftp://app/', 400],
  ])('takes plain http to a private name only where that was chosen: %s, %d', async (url, status) => {
    const sandbox = await serve({ assume: { 'webhook-plain-http': 'private' } });
    const told = await register(sandbox, url);
    expect(told.status).toBe(status);
    const rests = (told.headers.get('x-sandbox-assumption') ?? '').includes('webhook-plain-http');
    expect(rests).toBe(status === 201);
    const usual = await register(await serve(), url);
    expect(usual.status).toBe(url.startsWith('http://127.') ? 201 : 400);
  });

  it('never draws plain http to private names at random', async () => {
    const drawn = new Set<string>();
    for (let seed = 0; seed < 50; seed++) {
      const settings = { undocumented: 'random', assume: {}, seed: String(seed) } as const;
      drawn.add(chooseBehaviours(settings)['webhook-plain-http'].value);
    }
    expect([...drawn].sort()).toEqual(['loopback', 'refuse']);
  });

  it('names the field as the caller wrote it', async () => {
    const sandbox = await serve({ assume: { 'webhook-url-field': 'endpoint' } });
    const { body } = await sandbox.post('/webhooks', { endpoint: 'example.com', events: ['CHARGE_PAID'] });
    expect(body.message).toBe('endpoint: must be an absolute HTTPS URL');
  });

  it('shows the secret once', async () => {
    const sandbox = await serve();
    const { secret } = (await register(sandbox, 'https://example.com')).body.data;
    expect(JSON.stringify((await sandbox.control('GET', '/endpoints')).body)).not.toContain(secret);
  });
});

describe('every change of state emits its event', () => {
  it('paid, refunded, withdrawn, failed; nothing else', async () => {
    await using hook = await startReceiver();
    const sandbox = await serve({ withdrawals: 'manual', merchant: { available: 100_000 } });
    const { secret } = (
      await register(sandbox, hook.url, [
        'CHARGE_PAID',
        'REFUND_COMPLETED',
        'WITHDRAWAL_COMPLETED',
        'WITHDRAWAL_FAILED',
        'CHARGE_EXPIRED',
      ])
    ).body.data;
    const withdraw = async (): Promise<string> =>
      (await sandbox.post('/withdrawals', { amount: 500, pixKey: 'a@b.co', pixKeyType: 'EMAIL' })).body.data
        .id;

    const paid = await sandbox.charge();
    sandbox.pay(paid.id);
    await sandbox.post(`/transparents/refund?id=${paid.id}`);
    const expired = await sandbox.charge(1_000, { expiresIn: 60 });
    await sandbox.clock.advance('2m');
    const completed = await withdraw();
    sandbox.completeWithdrawal(completed);
    const failed = await withdraw();
    sandbox.failWithdrawal(failed, 'closed account');
    await sandbox.clock.advance('1m');

    expect((await sandbox.get(`/transparents/check?id=${expired.id}`)).body.data.status).toBe('EXPIRED');
    const bodies = hook.received.map((request) => JSON.parse(request.body));
    expect(bodies.map(({ event, data }) => [event, data.id])).toEqual([
      ['CHARGE_PAID', paid.id],
      ['REFUND_COMPLETED', paid.id],
      ['WITHDRAWAL_COMPLETED', completed],
      ['WITHDRAWAL_FAILED', failed],
    ]);
    expect(bodies[3].data.failedReason).toBe('closed account');
    for (const { headers, body } of hook.received) {
      const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['service-signature'])) ?? [];
      expect(createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')).toBe(v1);
    }
  });

  it('by hand, what no call brings about', async () => {
    await using hook = await startReceiver();
    const sandbox = await serve();
    await register(sandbox, hook.url, ['CHECKOUT_PAID']);
    const made = await sandbox.control('POST', '/events', { event: 'CHECKOUT_PAID', data: { total: 5_000 } });
    expect(made).toMatchObject({ status: 201, body: { event: 'CHECKOUT_PAID', data: { total: 5_000 } } });
    await hook.arrived(1);
    expect(JSON.parse(hook.received[0]?.body ?? '')).toMatchObject({
      id: made.body.id,
      data: { total: 5_000 },
    });
    expect((await sandbox.control('POST', '/events', { event: 'lower case' })).status).toBe(400);
  });
});

describe('the delivery history', () => {
  it('shows the same under other names if delivery-record says so', async () => {
    await using hook = await startReceiver(500);
    const sandbox = await serve({ assume: { 'delivery-record': 'other-names' } });
    sandbox.clock.freeze();
    const { id } = (await register(sandbox, hook.url)).body.data;
    sandbox.pay((await sandbox.charge()).id);
    await sandbox.clock.advance('1s');
    const [row] = (await sandbox.get(`/webhooks/${id}/deliveries`)).body.data;
    expect(row).toMatchObject({
      event: { name: 'CHARGE_PAID' },
      status: 500,
      succeeded: false,
      attemptNumber: 1,
      lastError: { message: 'HTTP 500' },
    });
    expect(row).not.toHaveProperty('httpStatus');
  });

  it('has one record per attempt, newest first, in pages', async () => {
    await using hook = await startReceiver(500, 200, 404);
    const sandbox = await serve();
    sandbox.clock.freeze();
    const { id } = (await register(sandbox, hook.url)).body.data;
    sandbox.pay((await sandbox.charge()).id);
    await sandbox.clock.advance('10s');
    sandbox.pay((await sandbox.charge()).id);
    await sandbox.clock.advance('10s');
    const { status, body } = await sandbox.get(`/webhooks/${id}/deliveries?limit=2`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      {
        event: 'CHARGE_PAID',
        status: 'FAILED',
        httpStatus: 404,
        success: false,
        attempt: 1,
        error: 'HTTP 404',
      },
      { event: 'CHARGE_PAID', status: 'DELIVERED', httpStatus: 200, success: true, attempt: 2, error: null },
    ]);
    const rest = await sandbox.get(`/webhooks/${id}/deliveries?limit=2&after=${body.pagination.next}`);
    expect(rest.body.data).toMatchObject([
      { status: 'PENDING', httpStatus: 500, success: false, attempt: 1, eventId: body.data[1].eventId },
    ]);
    expect(rest.body.pagination.hasMore).toBe(false);
  });

  it("is nobody else's", async () => {
    const sandbox = await serve();
    const { id } = (await register(sandbox, 'https://example.com')).body.data;
    const other = sandbox.addMerchant();
    const headers = { authorization: `Bearer ${other.apiKey}` };
    expect((await sandbox.get(`/webhooks/${id}/deliveries`, headers)).status).toBe(404);
    expect((await sandbox.get('/webhooks/wh_none/deliveries')).body).toMatchObject({
      error: 'NOT_FOUND',
      message: 'webhook endpoint wh_none does not exist',
    });
  });

  it("another merchant's endpoint hears nothing", async () => {
    await using hook = await startReceiver();
    const sandbox = await serve();
    const other = sandbox.addMerchant();
    const headers = { authorization: `Bearer ${other.apiKey}` };
    await sandbox.post('/webhooks', { url: hook.url, events: ['CHARGE_PAID'] }, headers);
    sandbox.pay((await sandbox.charge()).id);
    await sandbox.clock.advance('1m');
    expect(hook.received).toEqual([]);
  });
});

describe('the control plane', () => {
  it('shows deliveries with what was signed, why and when next; and sends them again', async () => {
    await using hook = await startReceiver(503);
    const sandbox = await serve();
    sandbox.clock.freeze();
    await register(sandbox, hook.url);
    sandbox.pay((await sandbox.charge()).id);
    await sandbox.clock.advance(0);
    const [shown] = (await sandbox.control('GET', '/deliveries?state=PENDING')).body;
    expect(shown).toMatchObject({
      event: 'CHARGE_PAID',
      reason: 'HTTP 503; attempt 2 of 3 follows 2 s later',
      attempts: [{ number: 1, response: { status: 503 }, request: { body: hook.received[0]?.body } }],
    });
    expect(shown.attempts[0].signedText).toMatch(/^\d{10}\.\{"id":"evt_/);
    expect(Date.parse(shown.nextAttemptAt) - sandbox.clock.now()).toBe(2_000);

    const again = await sandbox.control('POST', `/deliveries/${shown.id}/replay`, { how: 'identical' });
    expect(again).toMatchObject({ status: 201, body: { replayOf: shown.id, eventId: shown.eventId } });
    await sandbox.clock.advance(0);
    expect(hook.received[1]?.headers['service-signature']).toBe(
      hook.received[0]?.headers['service-signature'],
    );
    expect((await sandbox.control('POST', '/deliveries/99/replay', {})).status).toBe(404);
    expect((await sandbox.control('POST', `/deliveries/${shown.id}/replay`, { how: 'x' })).status).toBe(400);
  });

  it('refuses an identical replay where there is no signature to repeat', async () => {
    await using hook = await startReceiver(200);
    const sandbox = await serve();
    sandbox.clock.freeze();
    await register(sandbox, hook.url);
    await sandbox.control('POST', '/faults', { target: 'delivery', effect: { kind: 'delay', ms: 60_000 } });
    sandbox.pay((await sandbox.charge()).id);
    const [{ id }] = (await sandbox.control('GET', '/deliveries')).body;
    const identical = () => sandbox.control('POST', `/deliveries/${id}/replay`, { how: 'identical' });
    expect(await identical()).toMatchObject({
      status: 409,
      body: {
        error: { code: 'CONFLICT', message: expect.stringContaining('no attempt of this delivery yet') },
      },
    });
    const byPage = await onPage(sandbox, `deliveries/${id}/replay`, { how: 'identical', event: 'evt_1' });
    expect([byPage.status, await byPage.text()]).toEqual([
      409,
      expect.stringContaining('no attempt of this delivery yet'),
    ]);
    expect((await sandbox.control('GET', '/deliveries')).body).toHaveLength(1);
    await sandbox.clock.advance(60_000);
    expect((await identical()).status).toBe(201);
  });

  it('waits for an event, and says when none came', async () => {
    const sandbox = await serve();
    const charge = await sandbox.charge();
    const waiting = sandbox.control('GET', `/events/wait?event=CHARGE_PAID&about=${charge.id}`);
    sandbox.pay(charge.id);
    expect((await waiting).body).toMatchObject({ event: 'CHARGE_PAID', data: { id: charge.id } });
    expect((await sandbox.control('GET', '/events/wait?event=REFUND_COMPLETED&timeout=5')).status).toBe(408);
    expect((await sandbox.control('GET', '/events/wait?evnt=X')).status).toBe(400);
  });

  it('moves the clock, and refuses to take it back', async () => {
    const sandbox = await serve();
    await sandbox.control('POST', '/clock/freeze');
    const before = sandbox.clock.now();
    const { body } = await sandbox.control('POST', '/clock/advance', { ms: 86_400_000 });
    expect(body).toMatchObject({ mode: 'frozen', settled: true, ran: 0 });
    expect(sandbox.clock.now() - before).toBe(86_400_000);
    expect((await sandbox.control('POST', '/clock/advance', { ms: -1 })).status).toBe(400);
    expect((await sandbox.control('POST', '/clock/unfreeze')).body.mode).toBe('offset');
  });

  it('puts faults in force, lists and ends them', async () => {
    const sandbox = await serve();
    const made = await sandbox.control('POST', '/faults', { preset: 'rate-limited', times: 1 });
    expect(made).toMatchObject({
      status: 201,
      body: [{ id: 'fault_1', rule: { times: 1, preset: 'rate-limited' } }],
    });
    const limited = await sandbox.get('/transparents/list');
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await sandbox.get('/transparents/list')).status).toBe(200);
    expect((await sandbox.control('GET', '/faults')).body).toMatchObject([{ fired: 1, spent: true }]);
    expect((await sandbox.control('DELETE', '/faults')).body).toEqual({ cleared: 1 });
    for (const wrong of [{ preset: 'none' }, { target: 'api', effect: { kind: 'boom' } }, {}]) {
      expect((await sandbox.control('POST', '/faults', wrong)).status).toBe(400);
    }
  });

  it('hands the world out as bytes and takes it back', async () => {
    const sandbox = await serve();
    const charge = await sandbox.charge();
    const authorization = `Bearer ${sandbox.controlToken}`;
    const got = await fetch(`${sandbox.url}/__sandbox/snapshot`, { headers: { authorization } });
    const bytes = await got.arrayBuffer();
    await sandbox.reset();
    expect((await sandbox.get(`/transparents/check?id=${charge.id}`)).status).toBe(404);
    const put = { method: 'POST', headers: { authorization }, body: bytes };
    expect((await fetch(`${sandbox.url}/__sandbox/restore`, put)).status).toBe(200);
    expect((await sandbox.get(`/transparents/check?id=${charge.id}`)).status).toBe(200);
  });
});
