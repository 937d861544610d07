import { expect, it } from 'vitest';
import { deliveryWorld } from '../support/delivery-world.ts';
import { receiver } from '../support/receiver.ts';

it('keeps the documented schedule on the real clock, and is never early', async () => {
  await using hook = await receiver(500, 503, 200);
  await using world = deliveryWorld({ real: true });
  world.endpoint('wh_1', hook.url);
  world.emit();
  await hook.arrived(3);
  const [first = 0, second = 0, third = 0] = hook.received.map((request) => request.at);
  // A timer of Node may ring a millisecond before its time.
  expect(second - first).toBeGreaterThanOrEqual(1_995);
  expect(third - second).toBeGreaterThanOrEqual(3_995);
  expect(hook.received).toHaveLength(3);
});
