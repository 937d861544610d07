/** Delivers something else in an event's place, to one endpoint: what if the amount had been different? */
import { insertEvent, type World } from '../world/world.ts';
import { scheduleDelivery } from './engine.ts';

/**
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
