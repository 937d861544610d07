/** `/__sandbox/events`: lists what happened, waits for what is still to happen, and emits events by hand. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { Assembly } from '../assembly.ts';
import { readMerchant } from '../rules/merchants.ts';
import { trigger } from '../rules/trigger.ts';
import { longListLimit, readBody, readQuery, sequenceNumber, wholeNumber } from './input.ts';
import { replacementsHeader } from './request.ts';

const filter = {
  event: z.optional(z.string()),
  merchantId: z.optional(z.string()),
  about: z.optional(z.string()),
  after: sequenceNumber(),
};
const listQuery = z.strictObject({
  ...filter,
  limit: longListLimit(),
  order: z.optional(z.enum(['oldest-first', 'newest-first'])),
});
/**
 * `timeout`: real milliseconds. `replacements`: what `X-Sandbox-Replacements` of an earlier answer said, from whoever
 * relies on the places that it read in the log.
 */
const waitQuery = z.strictObject({
  ...filter,
  timeout: z.optional(wholeNumber({ min: 0, max: 600_000 })),
  replacements: sequenceNumber(),
});

/** `event` and `data` are judged by the rules. `merchantId`: by default the first merchant. */
const emitBody = z.strictObject({
  event: z.unknown(),
  data: z.optional(z.unknown()),
  merchantId: z.optional(z.string()),
});

export function eventRoutes(sandbox: Pick<Assembly, 'world' | 'deliveries' | 'merchantId'>): Hono {
  const { world } = sandbox;
  const { events } = sandbox.deliveries;
  return new Hono()
    .get('/', (context) => context.json(events.list(readQuery(context, listQuery))))
    .get('/wait', async (context) => {
      const { timeout = 30_000, replacements, ...wanted } = readQuery(context, waitQuery);
      const isReplaced = replacements !== undefined && replacements !== events.replacements;
      const found = isReplaced ? null : await events.wait(wanted, timeout, context.req.raw.signal);
      context.header(replacementsHeader, String(events.replacements));
      if (found !== null) return context.json(found);
      const [code, message, status] = isReplaced
        ? (['REPLACED', 'the log of events was replaced by a restore', 409] as const)
        : (['NO_EVENT', `no such event came within ${timeout} ms`, 408] as const);
      return context.json({ error: { code, message } }, status);
    })
    .post('/', async (context) => {
      const { event, data = {}, merchantId = sandbox.merchantId } = await readBody(context, emitBody);
      const { id } = readMerchant(world, merchantId);
      return context.json(trigger(sandbox, id, event as string, data as Record<string, unknown>), 201);
    });
}
