/** `/__sandbox/customers`: the document shows how a customer is read, but not how one is created. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { Assembly } from '../assembly.ts';
import { addCustomer, listCustomers, type NewCustomer, removeCustomer } from '../rules/customers.ts';
import { readMerchant } from '../rules/merchants.ts';
import { readBody, readQuery } from './input.ts';

const listQuery = z.strictObject({ merchantId: z.optional(z.string()) });
/** What else is in it is judged by the rules. */
const addBody = z.looseObject({ merchantId: z.optional(z.string()) });

export function customerRoutes(sandbox: Pick<Assembly, 'world' | 'merchantId'>): Hono {
  const { world } = sandbox;
  return new Hono()
    .get('/', (context) => {
      const { merchantId = sandbox.merchantId } = readQuery(context, listQuery);
      return context.json(listCustomers(world, readMerchant(world, merchantId).id));
    })
    .post('/', async (context) => {
      const { merchantId = sandbox.merchantId, ...customer } = await readBody(context, addBody);
      const { id } = readMerchant(world, merchantId);
      return context.json(addCustomer(world, id, customer as unknown as NewCustomer), 201);
    })
    .delete('/:id', (context) => context.json(removeCustomer(world, context.req.param('id'))));
}
