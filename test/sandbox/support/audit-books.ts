import type { World } from '../../../src/sandbox/world/world.ts';

/** The whole ledger added up anew; what is wrong with it, in words. Empty when every balance is its entries' sum. */
export function auditBooks(world: World): string[] {
  return world.store
    .all<{ merchantId: string; account: string; booked: number; kept: number }>(
      `WITH booked AS (
         SELECT merchant_id, target AS account, amount FROM transfers
         UNION ALL SELECT merchant_id, source, -amount FROM transfers
       ), kept AS (
         SELECT merchant_id, 'available' AS account, available AS kept FROM balances
         UNION ALL SELECT merchant_id, 'pending', pending FROM balances
         UNION ALL SELECT merchant_id, 'outside', outside FROM balances
       )
       SELECT k.merchant_id AS merchantId, k.account, k.kept,
         (SELECT coalesce(sum(amount), 0) FROM booked b
           WHERE b.merchant_id = k.merchant_id AND b.account = k.account) AS booked
       FROM kept k WHERE kept <> booked`,
    )
    .map(
      ({ merchantId, account, booked, kept }) =>
        `${merchantId}: ${account} is ${kept}, its entries add up to ${booked}`,
    );
}
