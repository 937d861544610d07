/** `/__sandbox/deliveries` and `/__sandbox/endpoints`: what was delivered to whom, and replaying it. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { isoTime } from '../../clock.ts';
import { unsignedReplayMessage } from '../deliveries/replay.ts';
import type { Machinery } from '../machinery.ts';
import { Refusal } from '../rules/refusal.ts';
import { longListLimit, readBody, readQuery, sequenceNumber } from './input.ts';

const listQuery = z.strictObject({
  endpoint: z.optional(z.string()),
  merchantId: z.optional(z.string()),
  event: z.optional(z.string()),
  eventId: z.optional(z.string()),
  eventSeq: sequenceNumber(),
  state: z.optional(z.enum(['PENDING', 'DELIVERED', 'FAILED'])),
  before: sequenceNumber(),
  limit: longListLimit(),
});
const replayBody = z.strictObject({ how: z._default(z.enum(['identical', 'resigned']), 'resigned') });

export function deliveryRoutes({ deliveries }: Machinery): Hono {
  return new Hono()
    .get('/', (context) => context.json(deliveries.list(readQuery(context, listQuery))))
    .post('/:id/replay', async (context) => {
      const id = Number(context.req.param('id'));
      const { how } = await readBody(context, replayBody);
      const made = Number.isSafeInteger(id) ? deliveries.replay(id, how) : null;
      if (made === null) throw new Refusal('NOT_FOUND', 'there is no delivery with this number');
      if (made === 'unsigned') throw new Refusal('CONFLICT', unsignedReplayMessage);
      return context.json(made, 201);
    });
}

/** Lists endpoints without their secrets: those are shown once, by the registration. */
export function endpointRoutes({ world }: Machinery): Hono {
  return new Hono().get('/', (context) =>
    context.json(
      world.store
        .all<{ id: string; merchantId: string; url: string; events: string; createdAt: number }>(
          'SELECT id, merchant_id AS merchantId, url, events, created_at AS createdAt FROM endpoints ORDER BY seq',
        )
        .map((row) => ({ ...row, events: JSON.parse(row.events), createdAt: isoTime(row.createdAt) })),
    ),
  );
}
