/** `/__sandbox/charges`: every merchant's charges, and what happens to them that no call of the API causes. */
import { Hono } from 'hono';
import type { Assembly } from '../assembly.ts';
import { disputeCharge, expireCharge, payCharge } from '../rules/charge-changes.ts';
import { type ChargeRow, findCharge, selectCharges, toCharge } from '../rules/charge-records.ts';
import { readQuery, recordsQuery } from './input.ts';

const listQuery = recordsQuery();

export function chargeRoutes({ world }: Pick<Assembly, 'world'>): Hono {
  const changes = { pay: payCharge, expire: expireCharge, dispute: disputeCharge };
  const routes = new Hono()
    /** Newest first. */
    .get('/', (context) => {
      const { merchantId = null, limit = 100 } = readQuery(context, listQuery);
      const rows = world.store.all<ChargeRow>(
        `${selectCharges} WHERE c.merchant_id = coalesce(?, c.merchant_id) ORDER BY c.seq DESC LIMIT ?`,
        merchantId,
        limit,
      );
      return context.json(rows.map((row) => toCharge(world, row)));
    })
    .get('/:id', (context) =>
      context.json(toCharge(world, findCharge(world, context.req.param('id'), null))),
    );
  for (const [name, change] of Object.entries(changes)) {
    routes.post(`/:id/${name}`, (context) => context.json(change(world, context.req.param('id'))));
  }
  return routes;
}
