import { expect, it } from 'vitest';
import { startReceiver } from '../../support/receiver.ts';
import { deliveryWorld } from '../support/delivery-world.ts';

it('keeps the documented schedule on the real clock, and is never early', async () => {
  await using hook = await startReceiver(500, 503, 200);
  await using world = deliveryWorld({ to: hook.url, real: true });
  world.emit();
  await hook.arrived(3);
  const [first = 0, second = 0, third = 0] = hook.received.map((request) => request.at);
  // A timer of Node may ring a millisecond before its time.
  expect(second - first).toBeGreaterThanOrEqual(1_995);
  expect(third - second).toBeGreaterThanOrEqual(3_995);
  expect(hook.received).toHaveLength(3);
});

it('an attempt whose end cannot be written, as on a full disk, is judged as soon as it can', async () => {
  await using world = deliveryWorld({ real: true });
  const writable = (yes: boolean) => world.store.execute(`PRAGMA query_only = ${yes ? 'OFF' : 'ON'}`);
  await using hook = await startReceiver(() => {
    writable(false);
    return 200;
  });
  world.endpoint('wh_1', hook.url);
  world.emit();
  await expect.poll(() => world.failures).toEqual([expect.objectContaining({ errcode: 8 })]);
  expect(world.sent.list()).toMatchObject([{ state: 'PENDING' }]);
  writable(true);
  await expect.poll(() => world.sent.list(), { timeout: 5_000 }).toMatchObject([{ state: 'DELIVERED' }]);
  expect(hook.received).toHaveLength(1);
});
