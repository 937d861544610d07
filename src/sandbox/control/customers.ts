/** `/__sandbox/customers`: the document shows how a customer is read, but not how one is created. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { Assembly } from '../assembly.ts';
import { addCustomer, listCustomers, removeCustomer } from '../rules/customers.ts';
import { readMerchant } from '../rules/merchants.ts';
import { readBody, readQuery } from './input.ts';

const listQuery = z.strictObject({ merchantId: z.optional(z.string()) });
const text = z.string().check(z.maxLength(200));
const addBody = z.strictObject({
  name: text,
  email: text,
  taxId: text,
  phone: z.optional(z.nullable(text)),
  merchantId: z.optional(z.string()),
});

export function customerRoutes(sandbox: Pick<Assembly, 'world' | 'merchantId'>): Hono {
  const { world } = sandbox;
  return new Hono()
    .get('/', (context) => {
      const { merchantId = sandbox.merchantId } = readQuery(context, listQuery);
      return context.json(listCustomers(world, readMerchant(world, merchantId).id));
    })
    .post('/', async (context) => {
      const { merchantId = sandbox.merchantId, ...customer } = await readBody(context, addBody);
      return context.json(addCustomer(world, readMerchant(world, merchantId).id, customer), 201);
    })
    .delete('/:id', (context) => context.json(removeCustomer(world, context.req.param('id'))));
}
