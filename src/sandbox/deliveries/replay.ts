/** Sends a delivery again, by hand. */
import type { World } from '../world/world.ts';
import { scheduleDelivery } from './engine.ts';

/** `identical`: body and signature header of the last attempt. `resigned`: the same body with a new signature. */
export type ReplayMode = 'identical' | 'resigned';

/** Why an identical replay is refused as `unsigned`. */
export const unsignedReplayMessage =
  'there is no attempt of this delivery yet, or its last one had no signature, that an identical one could repeat';

/**
 * Sends a delivery's envelope to the same endpoint again, as a delivery of its own with up to three attempts. Returns
 * its number, null if there is no such delivery, or `unsigned` if an identical replay is requested and there is no last
 * attempt, or it has no signature header to repeat.
 */
export function replay(world: World, delivery: number, how: ReplayMode): number | null | 'unsigned' {
  const { store } = world;
  return store.transaction(() => {
    const old = store.get<{ event: number; endpoint: string; envelopeId: string; request: string | null }>(
      `SELECT d.event, d.endpoint, d.envelope_id AS envelopeId,
         (SELECT request FROM attempts a WHERE a.delivery = d.seq ORDER BY number DESC LIMIT 1) AS request
       FROM deliveries d WHERE d.seq = ?`,
      delivery,
    );
    if (old === undefined) return null;
    const fixedSignature =
      how === 'identical' ? signatureOf(old.request, world.assume('signature-header')) : null;
    if (how === 'identical' && fixedSignature === null) return 'unsigned';
    const { event, endpoint, envelopeId } = old;
    return scheduleDelivery(world, { event, endpoint, envelopeId, replayOf: delivery, fixedSignature });
  });
}

const signatureOf = (request: string | null, header: string): string | null =>
  request === null ? null : ((JSON.parse(request).headers as Record<string, string>)[header] ?? null);
