/** `/__sandbox/merchants`: settings, both balance buckets and their entries; `default` names the first merchant. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { isoTime } from '../../clock.ts';
import type { Assembly } from '../assembly.ts';
import { listKeys } from '../rules/keys.ts';
import {
  addMerchantWithKey,
  listMerchants,
  type Merchant,
  readMerchant,
  setMerchant,
  toMerchantView,
} from '../rules/merchants.ts';
import { limit, readBody, readQuery } from './input.ts';
import { toShownKey } from './keys.ts';

/** Any object: the rules judge the settings in it, as they judge those of a test in the sandbox's own process. */
const changes = z.looseObject({});
const entriesQuery = z.strictObject({ limit: limit() });

export function merchantRoutes(sandbox: Pick<Assembly, 'world' | 'merchantId'>): Hono {
  const { world } = sandbox;
  const show = (merchant: Merchant) => toMerchantView(world, merchant);
  const named = (id: string) => readMerchant(world, id === 'default' ? sandbox.merchantId : id);
  return (
    new Hono()
      .get('/', (context) => context.json(listMerchants(world).map(show)))
      .post('/', async (context) => {
        const made = addMerchantWithKey(world, await readBody(context, changes));
        return context.json(made, 201);
      })
      .get('/:id', (context) => context.json(show(named(context.req.param('id')))))
      .patch('/:id', async (context) => {
        const given = await readBody(context, changes);
        return context.json(show(setMerchant(world, named(context.req.param('id')).id, given)));
      })
      .get('/:id/keys', (context) =>
        context.json(listKeys(world, named(context.req.param('id')).id).map(toShownKey)),
      )
      /** The double entries of its ledger, newest first. */
      .get('/:id/entries', (context) => {
        const { limit = 100 } = readQuery(context, entriesQuery);
        const rows = world.store.all<{ at: number }>(
          'SELECT seq, source, target, amount, reason, reference, at FROM transfers WHERE merchant_id = ? ORDER BY seq DESC LIMIT ?',
          named(context.req.param('id')).id,
          limit,
        );
        return context.json(rows.map((row) => ({ ...row, at: isoTime(row.at) })));
      })
  );
}
