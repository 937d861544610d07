/** Sends a delivery again, by hand. */
import { insertEvent, type World } from '../world/world.ts';
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

/**
 * Delivers something else in an event's place: what if the amount had been different?
 *
 * Writes an event of the same name with this data, JSON that is sent as it is written, and delivers it to the endpoint
 * of `delivery` alone. It gets an id of its own, because a consumer that knows the id would take it for a duplicate.
 * Returns that id, or null if there is no such delivery.
 */
export function replayEdited(world: World, delivery: number, data: string): string | null {
  const { store } = world;
  return store.transaction(() => {
    const old = store.get<{ merchantId: string; event: string; endpoint: string }>(
      `SELECT e.merchant_id AS merchantId, e.event, d.endpoint
       FROM deliveries d JOIN events e ON e.seq = d.event WHERE d.seq = ?`,
      delivery,
    );
    if (old === undefined) return null;
    const id = world.ids.next('evt');
    const { endpoint, ...event } = old;
    const seq = insertEvent(store, { ...event, id, data, occurredAt: world.clock.now() });
    scheduleDelivery(world, { event: seq, endpoint, envelopeId: id, replayOf: delivery });
    return id;
  });
}
