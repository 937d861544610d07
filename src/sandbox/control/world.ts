/** `/__sandbox/`: what this sandbox is, what it assumes, what was asked of it, and starting over. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { isoTime } from '../../clock.ts';
import type { Assembly } from '../assembly.ts';
import { operationNames } from '../input/operation-names.ts';
import { readMerchant } from '../rules/merchants.ts';
import { seed } from '../rules/seed.ts';
import { listAssumptions } from '../world/choices.ts';
import { maxLoggedRequests } from '../world/limits.ts';
import { readBody, readQuery, sequenceNumber, wholeNumber } from './input.ts';

const requestsQuery = z.strictObject({
  limit: z._default(wholeNumber({ min: 1, max: maxLoggedRequests }), 100),
  after: sequenceNumber(),
  merchantId: z.optional(z.string()),
  operation: z.optional(z.enum(operationNames)),
});
/** What else is in it is judged by the rules. */
const seedBody = z.looseObject({ merchantId: z.optional(z.string()) });

export const worldRoutes = (sandbox: Assembly): Hono =>
  new Hono()
    .get('/', (context) => {
      const { world } = sandbox;
      const { undocumented, withdrawals, withdrawalStepMs } = world.settings;
      const now = isoTime(world.clock.now());
      return context.json({ sandbox: 'pixctl', now, undocumented, withdrawals, withdrawalStepMs });
    })
    .get('/assumptions', (context) => context.json(listAssumptions(sandbox.world.choices)))
    .get('/requests', (context) =>
      context.json(
        sandbox.log
          .list(readQuery(context, requestsQuery))
          .map((entry) => ({ ...entry, at: isoTime(entry.at) })),
      ),
    )
    .post('/reset', async (context) => {
      await sandbox.reset();
      return context.json({ reset: true });
    })
    .post('/seed', async (context) => {
      const { merchantId = sandbox.merchantId, ...wanted } = await readBody(context, seedBody);
      return context.json(seed(sandbox.world, readMerchant(sandbox.world, merchantId).id, wanted));
    });
