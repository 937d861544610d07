/** Records to look at, as many as were asked for. */
import { expect, it } from 'vitest';
import { readBalance } from '../../../src/sandbox/rules/balance.ts';
import { listCustomers } from '../../../src/sandbox/rules/customers.ts';
import { addMerchant } from '../../../src/sandbox/rules/merchants.ts';
import { seed } from '../../../src/sandbox/rules/seed.ts';
import { deliveryWorld, merchant } from '../support/delivery-world.ts';

it('makes a customer for each that was asked for, though the same document was drawn twice', async () => {
  await using made = deliveryWorld();
  const { world } = made;
  const drawn = [0.1, 0.1, 0.2, 0.2, 0.1, 0.3];
  const ids = { ...world.ids, fraction: () => drawn.shift() ?? 0.4 };
  seed({ ...world, ids }, merchant, { customers: 2 });
  seed({ ...world, ids }, merchant, { customers: 1 });
  expect(listCustomers(world, merchant).map(({ taxId }) => taxId)).toEqual([
    '10000000000',
    '20000000000',
    '30000000000',
  ]);
});

it('pays two charges in three, into the balance and with their events', async () => {
  await using made = deliveryWorld();
  const { world } = made;
  const { id } = addMerchant(world);
  seed(world, id, { charges: 7 });
  const charges = world.store.all<{ status: string; amount: number }>(
    'SELECT status, amount FROM charges ORDER BY seq',
  );
  const [pending, paid] = ['PENDING', 'PAID'];
  expect(charges.map(({ status }) => status)).toEqual([pending, paid, paid, pending, paid, paid, pending]);
  const received = charges.filter(({ status }) => status === paid).map(({ amount }) => amount);
  expect(readBalance(world, id).available).toBe(received.reduce((sum, one) => sum + one, 0));
  expect(world.store.all('SELECT 1 FROM events')).toHaveLength(4);
});
