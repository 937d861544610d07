/** The open points of webhooks: each behaviour that can be chosen is really shown. */
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { verify } from '../../src/contract/signature.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import { deliveryWorld, secret, start } from './support/delivery-world.ts';
import { type Served, serve } from './support/over-http.ts';

const marks = (headers: Headers) => headers.get('x-sandbox-assumption')?.split(',') ?? [];
const events = ['CHARGE_PAID'];
const register = async (sandbox: Served, url: string, names: readonly string[] = events) => {
  const { status, body, headers } = await sandbox.post('/webhooks', { url, events: names });
  return {
    answer: status === 201 ? '201' : `${status}:${body.error}`,
    data: body.data,
    marks: marks(headers),
  };
};

describe('a registration', () => {
  it.each([
    ['accept', '201'],
    ['409:CONFLICT', '409:CONFLICT'],
    ['400:BAD_REQUEST', '400:BAD_REQUEST'],
  ])('of an address once more, webhook-repeated-url=%s: %s', async (choice, answer) => {
    const sandbox = await serve({ assume: { 'webhook-repeated-url': choice } });
    const first = await register(sandbox, 'https://example.com/hook');
    expect(first.marks).not.toContain('webhook-repeated-url');
    const second = await register(sandbox, 'https://example.com/hook');
    expect(second).toMatchObject({ answer, marks: expect.arrayContaining(['webhook-repeated-url']) });
    expect(second.data?.id).not.toBe(first.data.id);
    const other = sandbox.addMerchant();
    const authorization = `Bearer ${other.apiKey}`;
    const body = { url: 'https://example.com/hook', events };
    expect((await sandbox.post('/webhooks', body, { authorization })).status).toBe(201);
  });

  it.each([
    ['2048', '400:VALIDATION_ERROR'],
    ['any', '201'],
  ])('of an address above 2048 characters, webhook-url-length=%s: %s', async (choice, answer) => {
    const sandbox = await serve({ assume: { 'webhook-url-length': choice } });
    const of = (length: number) => 'https://example.com/'.padEnd(length, 'a');
    const long = await register(sandbox, of(2_049));
    expect(long).toMatchObject({ answer, marks: expect.arrayContaining(['webhook-url-length']) });
    const short = await register(sandbox, of(2_048));
    expect([short.answer, short.marks.includes('webhook-url-length')]).toEqual(['201', false]);
  });

  it.each([
    ['once', '201'],
    ['refuse', '400:VALIDATION_ERROR'],
  ])('of the same event twice, webhook-repeated-event=%s: %s', async (choice, answer) => {
    const sandbox = await serve({ assume: { 'webhook-repeated-event': choice } });
    const made = await register(sandbox, 'https://example.com/hook', [...events, ...events]);
    expect(made).toMatchObject({ answer, marks: expect.arrayContaining(['webhook-repeated-event']) });
    expect(made.data?.events ?? events).toEqual(events);
    const other = await register(sandbox, 'https://example.com/other');
    expect(other.marks).not.toContain('webhook-repeated-event');
  });

  it.each([
    ['flat', (data: Answered) => [data.id, data.secret]],
    ['secret-nested', (data: Answered) => [data.id, data.signing?.secret]],
    ['wrapped', (data: Answered) => [data.webhook?.id, data.webhook?.secret]],
    ['other-names', (data: Answered) => [data.endpointId, data.signingSecret]],
  ])('is answered in the shape that webhook-shape=%s says', async (choice, read) => {
    const sandbox = await serve({ assume: { 'webhook-shape': choice } });
    const { data } = await register(sandbox, 'https://example.com/hook');
    expect(read(data)).toEqual([expect.stringMatching(/^wh_/), expect.stringMatching(/^whsec_/)]);
    expect(JSON.stringify(data).match(/whsec_/g)).toHaveLength(1);
  });

  it.each([
    ['basic-auth', '201', 'Basic dXNlcjpwYXNz'],
    ['left-out', '201', undefined],
    ['refuse', '400:VALIDATION_ERROR', null],
  ])('with user and password, webhook-credentials=%s: %s', async (choice, answer, header) => {
    await using hook = await startReceiver();
    const sandbox = await serve({ assume: { 'webhook-credentials': choice } });
    const made = await register(sandbox, hook.url.replace('//', '//user:pass@'));
    expect(made).toMatchObject({ answer, marks: expect.arrayContaining(['webhook-credentials']) });
    expect((await register(sandbox, 'https://example.com/')).marks).not.toContain('webhook-credentials');
    if (header === null) return;
    sandbox.trigger('CHARGE_PAID');
    await hook.arrived(1);
    expect(hook.received[0]?.headers.authorization).toBe(header);
  });
});

interface Answered {
  readonly id?: string;
  readonly secret?: string;
  readonly signing?: Answered;
  readonly webhook?: Answered;
  readonly endpointId?: string;
  readonly signingSecret?: string;
}

describe('the history', () => {
  it.each([
    ['paged', 1, true],
    ['unpaged', 2, false],
  ])('is a page or all of it, delivery-list-shape=%s', async (choice, count, isPaged) => {
    await using hook = await startReceiver(200, 200);
    const sandbox = await serve({ assume: { 'delivery-list-shape': choice } });
    const { data } = await register(sandbox, hook.url);
    for (const _ of [1, 2]) sandbox.trigger('CHARGE_PAID');
    await sandbox.clock.advance(0);
    const { body, headers } = await sandbox.get(`/webhooks/${data.id}/deliveries?limit=1`);
    expect([body.data.length, 'pagination' in body]).toEqual([count, isPaged]);
    expect(marks(headers)).toContain('delivery-list-shape');
  });

  it.each([
    ['PENDING,DELIVERED,FAILED', 'PENDING', 'DELIVERED'],
    ['RETRYING,SUCCEEDED,FAILED', 'RETRYING', 'SUCCEEDED'],
  ])('names states as delivery-states=%s says, and FAILED always so', async (choice, first, second) => {
    await using hook = await startReceiver(500, 200, 404);
    const sandbox = await serve({ assume: { 'delivery-states': choice, 'list-order': 'oldest-first' } });
    const { data } = await register(sandbox, hook.url);
    sandbox.clock.freeze();
    sandbox.trigger('CHARGE_PAID');
    await sandbox.clock.advance('1m');
    sandbox.trigger('CHARGE_PAID');
    await sandbox.clock.advance('1m');
    const { body } = await sandbox.get(`/webhooks/${data.id}/deliveries`);
    expect(body.data.map(({ status }: { status: string }) => status)).toEqual([first, second, 'FAILED']);
  });
});

describe('a retry', () => {
  it('comes after the delays that were chosen, on the sandbox clock', async () => {
    await using hook = await startReceiver(500, 500, 200);
    const sandbox = await serve({ assume: { 'backoff-schedule': '7s,60s' } });
    await register(sandbox, hook.url);
    sandbox.clock.freeze();
    const begun = sandbox.clock.now();
    sandbox.trigger('CHARGE_PAID');
    await sandbox.clock.advance('2m');
    const attempts = sandbox.deliveries()[0]?.attempts ?? [];
    expect(attempts.map(({ startedAt }) => Date.parse(startedAt) - begun)).toEqual([0, 7_000, 67_000]);
    expect(attempts[0]?.reason).toBe('HTTP 500; attempt 2 of 3 follows 7 s later');
  });

  it.each(['2s', '2,4', '2s,4s,8s', '-1s,2s', ''])('backoff-schedule=%j is refused', async (schedule) => {
    const refused = startSandbox({ assume: { 'backoff-schedule': schedule } });
    await expect(refused).rejects.toThrow('is not a behaviour of backoff-schedule');
  });

  it.each([
    ['each-attempt', [-900, 10, 20]],
    ['first-attempt', [-900, 0, 0]],
  ])(
    'is signed with the time that signature-time=%s says; a fault moves that of one attempt only',
    async (choice, seconds) => {
      await using world = deliveryWorld({ settings: { assume: { 'signature-time': choice } } });
      const later = (_: Received, response: ServerResponse) => {
        world.machine.now += 10_000;
        response.writeHead(500).end();
      };
      await using hook = await startReceiver(later, later, later);
      world.endpoint('wh_1', hook.url);
      world.faults.add({ target: 'delivery', effect: { kind: 'stale-timestamp', seconds: 900 }, times: 1 });
      world.emit();
      await world.advance(60);
      const headers = hook.received.map((request) => String(request.headers['service-signature']));
      expect(headers.map((header) => Number(/^t=(\d+)/.exec(header)?.[1]) - start / 1_000)).toEqual(seconds);
      for (const [at, { body }] of hook.received.entries()) {
        expect(verify({ body, secret, header: headers[at] ?? '', now: start, toleranceMs: null }).ok).toBe(
          true,
        );
      }
    },
  );
});
