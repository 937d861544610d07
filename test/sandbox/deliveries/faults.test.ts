import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { FaultInput } from '../../../src/sandbox/faults/rule.ts';
import { type Received, startReceiver } from '../../support/receiver.ts';
import { deliveryWorld, secret } from '../support/delivery-world.ts';

const signedAt = 1_767_323_045;

/** What an independent receiver makes of a request: nothing here comes from the code under test. */
const judge = ({ headers, body }: Received) => {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['service-signature'])) ?? [];
  const right = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  return { genuine: v1 === right, skew: Number(t) - signedAt };
};

describe('faults on deliveries', () => {
  it.each<[Extract<FaultInput, { target: 'delivery' }>['effect'], { genuine: boolean; skew: number }]>([
    [{ kind: 'bad-signature' }, { genuine: false, skew: 0 }],
    [{ kind: 'wrong-secret' }, { genuine: false, skew: 0 }],
    [
      { kind: 'stale-timestamp', seconds: 600 },
      { genuine: true, skew: -600 },
    ],
    [
      { kind: 'stale-timestamp', seconds: 315_360_000 },
      { genuine: true, skew: -315_360_000 },
    ],
    [
      { kind: 'future-timestamp', seconds: 600 },
      { genuine: true, skew: 600 },
    ],
    [
      { kind: 'future-timestamp', seconds: 315_360_000 },
      { genuine: true, skew: 315_360_000 },
    ],
    [{ kind: 'reserialise' }, { genuine: false, skew: 0 }],
  ])('%o', async (effect, expected) => {
    await using hook = await startReceiver();
    await using world = deliveryWorld({ to: hook.url });
    world.faults.add({ target: 'delivery', effect, times: 1 });
    world.emit();
    world.emit();
    await world.advance(0);
    expect(hook.received.map(judge)).toEqual(expect.arrayContaining([expected, { genuine: true, skew: 0 }]));
    expect(hook.received.map((request) => JSON.parse(request.body).data.amount)).toEqual([12345, 12345]);
  });

  it('shows what really was sent and which rule did it', async () => {
    await using hook = await startReceiver();
    await using world = deliveryWorld({ to: hook.url });
    world.faults.preset('rewriting-proxy');
    world.emit();
    await world.advance(0);
    const attempt = world.sent.list()[0]?.attempts[0];
    expect(attempt?.faults).toEqual(['fault_1']);
    expect(attempt?.request.body).toBe(hook.received[0]?.body);
    expect(attempt?.signedText).not.toContain('\n');
  });

  it('a duplicate storm sends the very same request five times', async () => {
    await using hook = await startReceiver();
    await using world = deliveryWorld({ to: hook.url });
    world.faults.preset('duplicate-storm');
    world.emit();
    await world.advance(0);
    expect(hook.received).toHaveLength(5);
    const texts = hook.received.map(({ body, headers }) => `${headers['service-signature']} ${body}`);
    expect(new Set(texts).size).toBe(1);
    expect(world.sent.list()).toMatchObject([{ state: 'DELIVERED', attempts: [{ number: 1 }] }]);
  });

  it('a delay counts on the sandbox clock', async () => {
    await using hook = await startReceiver();
    await using world = deliveryWorld({ to: hook.url });
    world.faults.preset('late-events');
    world.emit();
    await world.advance(59);
    expect(hook.received).toHaveLength(0);
    await world.advance(1);
    expect(hook.received).toHaveLength(1);
  });

  it('an event held back is overtaken by the next one', async () => {
    await using hook = await startReceiver();
    await using world = deliveryWorld({ to: hook.url });
    world.faults.preset('out-of-order');
    const ids = [world.emit().id, world.emit().id];
    await world.advance(0);
    expect(hook.received.map((request) => JSON.parse(request.body).id)).toEqual(ids.toReversed());
  });

  it.each([200, 500])(
    'an event held back is not released by an earlier one that ends with %i',
    async (status) => {
      await using hook = await startReceiver(status);
      await using world = deliveryWorld({ to: hook.url });
      world.faults.add({ target: 'delivery', effect: { kind: 'reorder' }, nth: 2 });
      const ids = [world.emit().id, world.emit().id];
      await world.advance(2);
      ids.push(world.emit().id);
      await world.advance(0);
      const told = hook.received.map((request) => ids.indexOf(JSON.parse(request.body).id) + 1);
      expect(told).toEqual(status === 200 ? [1, 3, 2] : [1, 1, 3, 2]);
    },
  );

  it('an event held back is sent by itself if no other comes', async () => {
    await using hook = await startReceiver();
    await using world = deliveryWorld({ to: hook.url });
    world.faults.preset('out-of-order');
    world.emit();
    await world.advance(4.999);
    expect(hook.received).toHaveLength(0);
    await world.advance(0.001);
    expect(hook.received).toHaveLength(1);
  });
});
