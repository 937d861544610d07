/** Deliveries judged by a library that knows nothing of us and implements the same signature scheme. */
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { type Received, startReceiver } from '../../support/receiver.ts';
import { deliveryWorld, secret } from '../support/delivery-world.ts';

const { webhooks } = new Stripe('sk_test_unused');
const judge = ({ body, headers }: Received, key = secret) =>
  webhooks.constructEvent(body, String(headers['service-signature']), key, 300, undefined, 1_767_323_045_000);

describe('an independent implementation of the scheme', () => {
  it('accepts a delivery as genuine, whatever is in it', async () => {
    await using hook = await startReceiver();
    await using world = deliveryWorld({ to: hook.url });
    world.emit('CHARGE_PAID', {
      id: 'chg_1',
      note: 'São João ⚡ "quoted" \u2028 \\ </script>',
      deep: [{ a: [1.5, null] }],
    });
    await world.advance(0);
    const [request] = hook.received;
    if (!request) throw new Error('nothing arrived');
    expect(judge(request)).toMatchObject({
      event: 'CHARGE_PAID',
      data: { note: 'São João ⚡ "quoted" \u2028 \\ </script>' },
    });
    expect(() => judge(request, `${secret}x`)).toThrow(/signature/i);
    expect(() => judge({ ...request, body: `${request.body} ` })).toThrow(/signature/i);
  });

  it('accepts the third attempt as fresh, although the sandbox clock was moved a day ahead', async () => {
    await using hook = await startReceiver(500, 500, 200);
    await using world = deliveryWorld();
    await world.advance(86_400);
    world.endpoint('wh_1', hook.url);
    world.emit();
    await world.advance(60);
    expect(hook.received.map((request) => judge(request).id)).toHaveLength(3);
  });

  it.each([
    [{ kind: 'bad-signature' }, /no signatures found matching/i],
    [{ kind: 'wrong-secret' }, /no signatures found matching/i],
    [{ kind: 'reserialise' }, /no signatures found matching/i],
    [{ kind: 'stale-timestamp' }, /outside the tolerance/i],
  ] as const)('refuses %o', async (effect, reason) => {
    await using hook = await startReceiver();
    await using world = deliveryWorld({ to: hook.url });
    world.faults.add({ target: 'delivery', effect });
    world.emit();
    await world.advance(0);
    const [request] = hook.received;
    if (!request) throw new Error('nothing arrived');
    expect(() => judge(request)).toThrow(reason);
  });
});
