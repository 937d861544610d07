/** Which idempotency key stands for a listed withdrawal: the service knows none, so the ledger is asked. */
import { type Withdrawal, withTextId } from '../../../contract/withdrawal.ts';
import { scopeOf } from '../../../ledger/intent.ts';
import type { Runtime } from '../../../runtime.ts';
import type { OutputOptions } from '../../../terminal/output.ts';
import type { View } from '../../../terminal/view.ts';
import { withdrawalView } from '../../../views/withdrawal.ts';

/** A withdrawal, with its key where --fields names that. */
export type Listed = Withdrawal & { readonly idempotencyKey?: string | null };

export const listedView: View<Listed> = {
  name: withdrawalView.name,
  columns: [...withdrawalView.columns, { key: 'idempotencyKey', header: 'Idempotency key', named: true }],
};

export const wantsKey = ({ fields }: OutputOptions): boolean => fields?.includes('idempotencyKey') === true;

/**
 * Returns a function that adds to each withdrawal of a page the key under which this ledger has it for the merchant in
 * use, null if it has none. It rejects if the ledger cannot be read (74, 78).
 */
export async function keyFinder(
  runtime: Runtime,
): Promise<(page: readonly Withdrawal[]) => Promise<Listed[]>> {
  const ledger = await runtime.ledger();
  const scope = scopeOf((await runtime.config()).profile());
  return async (page) => {
    const resourceIds = page.flatMap((one) => idOf(one) ?? []);
    // The ledger would read all of its rows for an id that nobody claims.
    const claimed = await ledger.findClaimedIds(scope, 'withdrawal', resourceIds);
    const intents = await ledger.findMany(scope, 'withdrawal', { resourceIds: [...claimed] });
    const keys = new Map(intents.map(({ resourceId, idempotencyKey }) => [resourceId, idempotencyKey]));
    return page.map((one) => ({ ...one, idempotencyKey: keys.get(idOf(one) ?? null) ?? null }));
  };
}

const idOf = (one: Withdrawal): string | undefined => (withTextId(one) as { id?: string }).id;
