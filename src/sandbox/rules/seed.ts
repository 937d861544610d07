/** Makes records to look at: customers and charges as in a shop, some of them paid. */
import type { CreateChargeBody } from '../../contract/charge.ts';
import { findProblem, wholeNumber } from '../input/property-rules.ts';
import { maxSeeded } from '../world/limits.ts';
import type { World } from '../world/world.ts';
import { payCharge } from './charge-changes.ts';
import { createCharge } from './charges.ts';
import { addCustomer, listCustomers } from './customers.ts';
import { readMerchant } from './merchants.ts';
import { Refusal } from './refusal.ts';

export interface Seeded {
  readonly charges: number;
  readonly customers: number;
}

/**
 * Adds records in one transaction. Two charges in three are paid, with their events. Amounts are R$ 1,00 to R$ 500,00,
 * as far as the merchant's tickets allow. Throws `Refusal` VALIDATION_ERROR.
 */
export function seed(world: World, merchantId: string, wanted: Partial<Seeded>): Seeded {
  const wrong = findProblem(wanted, { charges: amount, customers: amount }, 'what is seeded');
  if (wrong !== null) throw new Refusal('VALIDATION_ERROR', wrong);
  const { charges = 0, customers = 0 } = wanted;
  const context = { world, merchantId, assume: world.assume };
  const { minTicket, maxTicket } = readMerchant(world, merchantId);
  const allowed = (cents: number) => Math.min(Math.max(cents, minTicket), maxTicket);
  const [least, most] = [allowed(100), allowed(50_000)];
  return world.store.transaction(() => {
    const taken = new Set(listCustomers(world, merchantId).map(({ taxId }) => taxId));
    for (let count = 0; count < customers; count++) {
      const name = `Cliente ${world.ids.characters(6)}`;
      const taxId = freeTaxId(world, taken);
      taken.add(taxId);
      addCustomer(world, merchantId, { name, taxId, email: `${world.ids.characters(8)}@example.com` });
    }
    const known = listCustomers(world, merchantId);
    for (let count = 0; count < charges; count++) {
      const amount = least + Math.floor(world.ids.fraction() * (most - least + 1));
      const customer = known[count % (known.length + 1)];
      const body: CreateChargeBody = {
        method: 'PIX',
        amount,
        ...(customer ? { customerId: customer.id } : {}),
      };
      const { data } = createCharge(context, { path: undefined, query: undefined, body });
      if (count % 3 !== 0) payCharge(world, data.id);
    }
    return { charges, customers };
  });
}

const amount = wholeNumber(0, maxSeeded);

/** Draws a tax id that nobody has: among tens of thousands, two are likely to be the same. */
function freeTaxId({ ids }: World, taken: ReadonlySet<string | null | undefined>): string {
  for (;;) {
    const taxId = String(Math.floor(ids.fraction() * 1e11)).padStart(11, '0');
    if (!taken.has(taxId)) return taxId;
  }
}
