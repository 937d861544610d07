/** Records to look at, as many as were asked for. */
import { expect, it } from 'vitest';
import { listCustomers } from '../../../src/sandbox/rules/customers.ts';
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
