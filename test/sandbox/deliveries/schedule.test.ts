import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Reply, startReceiver } from '../../support/receiver.ts';
import { deliveryWorld, secret } from '../support/delivery-world.ts';

/** Seconds after the event at which attempts began, on the sandbox clock. */
const startsOf = (world: ReturnType<typeof deliveryWorld>) =>
  world.sent
    .list()
    .flatMap((delivery) => delivery.attempts)
    .map((attempt) => (Date.parse(attempt.startedAt) - Date.parse('2026-01-02T03:04:05.000Z')) / 1_000);

describe('the documented schedule, on the virtual clock', () => {
  it.each<[string, Reply[], number[], string]>([
    ['2xx is delivered at once', [204], [0], 'DELIVERED'],
    ['4xx is final', [400], [0], 'FAILED'],
    ['429 is a 4xx too', [429], [0], 'FAILED'],
    ['5xx comes again after 2 s', [500, 200], [0, 2], 'DELIVERED'],
    ['and again 4 s after that', [500, 503, 200], [0, 2, 6], 'DELIVERED'],
    ['and never a fourth time', [500, 500, 500, 200], [0, 2, 6], 'FAILED'],
    ['a 4xx after a 5xx is final', [500, 404, 200], [0, 2], 'FAILED'],
    ['a connection reset comes again', ['reset', 200], [0, 2], 'DELIVERED'],
    ['no answer in time comes again', ['hang', 'hang', 'hang'], [0, 2, 6], 'FAILED'],
    ['a redirect is not followed', [302, 307, 301], [0, 2, 6], 'FAILED'],
  ])('%s', async (_, replies, starts, state) => {
    await using hook = await startReceiver(...replies);
    // Short only where nothing else ends the attempt: a busy machine takes longer for one that is answered.
    await using world = deliveryWorld({
      to: hook.url,
      timeoutMs: replies.includes('hang') ? 500 : undefined,
    });
    world.emit();
    expect((await world.advance(3_600)).settled).toBe(true);
    expect(startsOf(world)).toEqual(starts);
    expect(hook.received.map((request) => request.path)).toEqual(starts.map(() => '/hook'));
    expect(world.sent.list()).toMatchObject([{ state, nextAttemptAt: null }]);
    expect(world.failures).toEqual([]);
  });

  it('a refused connection is a network failure, three times', async () => {
    await using world = deliveryWorld();
    world.endpoint('wh_1', 'http://127.0.0.1:1/');
    world.emit();
    await world.advance(60);
    expect(startsOf(world)).toEqual([0, 2, 6]);
    expect(world.sent.list()[0]?.reason).toBe(
      'network failure: ECONNREFUSED; it was attempt 3 of 3, failed for good',
    );
  });

  it('nothing is sent a millisecond early', async () => {
    await using hook = await startReceiver(500, 500, 200);
    await using world = deliveryWorld({ to: hook.url });
    world.emit();
    const counts: number[] = [];
    for (const seconds of [0, 1.999, 0.001, 3.999, 0.001]) {
      await world.advance(seconds);
      counts.push(hook.received.length);
    }
    expect(counts).toEqual([1, 1, 2, 2, 3]);
  });

  it('says when the next attempt comes and why', async () => {
    await using hook = await startReceiver(503);
    await using world = deliveryWorld({ to: hook.url });
    world.emit();
    await world.advance(0);
    expect(world.sent.list()).toMatchObject([
      {
        state: 'PENDING',
        nextAttemptAt: '2026-01-02T03:04:07.000Z',
        reason: 'HTTP 503; attempt 2 of 3 follows 2 s later',
        attempts: [{ number: 1, response: { status: 503 } }],
      },
    ]);
  });
});

describe('what is sent', () => {
  it('is the documented envelope, signed over its raw bytes', async () => {
    await using hook = await startReceiver();
    await using world = deliveryWorld({ to: hook.url });
    const { id } = world.emit();
    await world.advance(0);
    const [request] = hook.received;
    expect(request?.body).toBe(
      `{"id":"${id}","event":"CHARGE_PAID","createdAt":"2026-01-02T03:04:05.000Z","data":{"id":"chg_0001","amount":12345}}`,
    );
    expect(request?.headers['content-type']).toBe('application/json');
    const v1 = createHmac('sha256', secret).update(`1767323045.${request?.body}`).digest('hex');
    expect(request?.rawHeaders).toContain('Service-Signature');
    expect(request?.headers['service-signature']).toBe(`t=1767323045,v1=${v1}`);
    expect(world.sent.list()[0]?.attempts[0]?.signedText).toBe(`1767323045.${request?.body}`);
  });

  it('is the same body in each attempt, signed anew with the time of signing', async () => {
    await using hook = await startReceiver(500, 500, 200);
    await using world = deliveryWorld({ to: hook.url });
    world.emit();
    for (const seconds of [0, 2, 4]) {
      await world.advance(seconds);
      world.machine.now += 7_000;
    }
    expect(new Set(hook.received.map((request) => request.body)).size).toBe(1);
    expect(
      hook.received.map((request) => String(request.headers['service-signature']).split(',')[0]),
    ).toEqual(['t=1767323045', 't=1767323052', 't=1767323059']);
  });

  it('goes only to endpoints that subscribe to the event, each with an id of its own', async () => {
    await using first = await startReceiver();
    await using second = await startReceiver();
    await using world = deliveryWorld();
    world.endpoint('wh_1', first.url, ['CHARGE_PAID', 'WITHDRAWAL_FAILED']);
    world.endpoint('wh_2', second.url, ['CHARGE_PAID']);
    const paid = world.emit('CHARGE_PAID');
    world.emit('WITHDRAWAL_FAILED');
    world.emit('REFUND_COMPLETED');
    await world.advance(0);
    const eventsAt = (hook: typeof first) => hook.received.map((request) => JSON.parse(request.body));
    expect(eventsAt(first).map((body) => body.event)).toEqual(['CHARGE_PAID', 'WITHDRAWAL_FAILED']);
    expect(eventsAt(second).map((body) => body.event)).toEqual(['CHARGE_PAID']);
    expect(eventsAt(first)[0].id).toBe(paid.id);
    expect(eventsAt(second)[0].id).toMatch(/^evt_[a-z0-9]{24}$/);
    expect(eventsAt(second)[0].id).not.toBe(paid.id);
  });

  it('may share one id among endpoints, since the document can be read so', async () => {
    await using hook = await startReceiver();
    await using world = deliveryWorld({
      to: hook.url,
      settings: { assume: { 'event-id-scope': 'per-event' } },
    });
    world.endpoint('wh_2', hook.url);
    world.emit();
    await world.advance(0);
    expect(new Set(hook.received.map((request) => JSON.parse(request.body).id)).size).toBe(1);
  });

  it('is not sent when the change that it reports is rolled back', async () => {
    await using hook = await startReceiver();
    await using world = deliveryWorld({ to: hook.url });
    expect(() =>
      world.store.transaction(() => {
        world.emit();
        throw new Error('no');
      }),
    ).toThrow('no');
    await world.advance(60);
    expect([hook.received.length, world.sent.events.list().length]).toEqual([0, 0]);
  });

  it('keeps what came back, bounded', async () => {
    await using hook = await startReceiver((_, response) => {
      response.writeHead(500, { 'x-trace': 'abc' });
      response.end('x'.repeat(100_000));
    });
    await using world = deliveryWorld({ to: hook.url });
    world.emit();
    await world.advance(0);
    const response = world.sent.list()[0]?.attempts[0]?.response;
    expect(response?.headers['x-trace']).toBe('abc');
    expect(response?.body).toBe('x'.repeat(4_096));
  });

  it('counts as delivered by its status even if the body never ends', async () => {
    await using hook = await startReceiver((_, response) => response.writeHead(200).write('and so'));
    await using world = deliveryWorld({ to: hook.url });
    world.emit();
    await world.advance(0);
    expect(world.sent.list()[0]).toMatchObject({ state: 'DELIVERED' });
  });
});

describe('an answer that breaks off', () => {
  it.each([
    [204, 'DELIVERED', 'delivered: HTTP 204'],
    [200, 'DELIVERED', 'delivered: HTTP 200'],
    [404, 'FAILED', 'HTTP 404 is a definitive rejection; there is no retry'],
  ])('%i is judged by its status', async (status, state, reason) => {
    await using hook = await startReceiver((_, response) => {
      response.writeHead(status, { 'content-length': 1_000 });
      response.flushHeaders();
      // Windows throws away what was received before a reset.
      setImmediate(() =>
        process.platform === 'win32' ? response.socket?.destroy() : response.socket?.resetAndDestroy(),
      );
    });
    await using world = deliveryWorld({ to: hook.url });
    world.emit();
    await world.advance(0);
    expect(world.sent.list()).toMatchObject([{ state, reason }]);
  });
});

describe('a slow endpoint', () => {
  it('does not hold up another', async () => {
    await using slow = await startReceiver();
    slow.otherwise = 'hang';
    await using quick = await startReceiver();
    await using world = deliveryWorld();
    world.endpoint('wh_slow', slow.url, ['WITHDRAWAL_FAILED']);
    world.endpoint('wh_quick', quick.url);
    for (let count = 0; count < 40; count += 1) world.emit('WITHDRAWAL_FAILED');
    world.emit();
    await quick.arrived(1);
    expect(slow.received.length).toBeLessThanOrEqual(8);
  });
});

describe('replay', () => {
  it.each(['identical', 'resigned'] as const)('%s sends the same envelope again', async (how) => {
    await using hook = await startReceiver();
    await using world = deliveryWorld({ to: hook.url });
    world.emit();
    await world.advance(0);
    world.machine.now += 60_000;
    const [old] = world.sent.list();
    expect(world.sent.replay(old?.id ?? 0, how)).toMatchObject({ replayOf: old?.id, state: 'PENDING' });
    await world.advance(0);
    const [first, second] = hook.received;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['service-signature'] === first?.headers['service-signature']).toBe(
      how === 'identical',
    );
    expect(world.sent.list()[0]).toMatchObject({ state: 'DELIVERED', eventId: old?.eventId });
  });

  it('knows no delivery that was never made', async () => {
    await using world = deliveryWorld();
    expect(world.sent.replay(7, 'resigned')).toBeNull();
  });
});
