/** `/__sandbox/events`: lists what happened, waits for what is still to happen, and emits events by hand. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { eventName } from '../../contract/event.ts';
import type { Assembly } from '../assembly.ts';
import { readMerchant } from '../rules/merchants.ts';
import { trigger } from '../rules/trigger.ts';
import { limit, readBody, readQuery, sequenceNumber, wholeNumber } from './input.ts';

const filter = {
  event: z.optional(z.string()),
  merchantId: z.optional(z.string()),
  about: z.optional(z.string()),
  after: sequenceNumber(),
};
const listQuery = z.strictObject({
  ...filter,
  limit: limit(),
  order: z.optional(z.enum(['oldest-first', 'newest-first'])),
});
/** `timeout`: real milliseconds. */
const waitQuery = z.strictObject({ ...filter, timeout: z.optional(wholeNumber({ min: 0, max: 600_000 })) });

const emitBody = z.strictObject({
  event: eventName(),
  data: z.optional(z.record(z.string(), z.unknown())),
  /** By default the first merchant. */
  merchantId: z.optional(z.string()),
});

export function eventRoutes(sandbox: Pick<Assembly, 'world' | 'deliveries' | 'merchantId'>): Hono {
  const { world } = sandbox;
  const { events } = sandbox.deliveries;
  return new Hono()
    .get('/', (context) => context.json(events.list(readQuery(context, listQuery))))
    .get('/wait', async (context) => {
      const { timeout = 30_000, ...wanted } = readQuery(context, waitQuery);
      const found = await events.wait(wanted, timeout, context.req.raw.signal);
      return found === null
        ? context.json(
            { error: { code: 'NO_EVENT', message: `no such event came within ${timeout} ms` } },
            408,
          )
        : context.json(found);
    })
    .post('/', async (context) => {
      const { event, data = {}, merchantId = sandbox.merchantId } = await readBody(context, emitBody);
      return context.json(trigger(sandbox, readMerchant(world, merchantId).id, event, data), 201);
    });
}
