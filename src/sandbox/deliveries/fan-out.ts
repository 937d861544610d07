/**
 * Decides who receives an event. It runs in the transaction of the change that the event reports, so that a charge is
 * never paid without its deliveries, and no event is sent for a payment that is rolled back.
 */
import type { Faults } from '../faults/faults.ts';
import type { EmittedEvent, World } from '../world/world.ts';
import { deliveryJob } from './engine.ts';
import { insertDelivery, listHeldDeliveries } from './records.ts';

/**
 * Schedules a delivery to each subscribed endpoint. An envelope's id is "unique per event delivery" (document: "Event
 * delivery body"), so each further endpoint's copy has an id of its own, unless `event-id-scope` is `per-event`.
 */
export function fanOut(world: World, faults: Faults, event: EmittedEvent, seq: number): void {
  const { store, ids } = world;
  const subscribed = store.all<{ id: string }>(
    `SELECT id FROM endpoints WHERE merchant_id = ?
       AND EXISTS (SELECT 1 FROM json_each(endpoints.events) WHERE value = ?) ORDER BY seq`,
    event.merchantId,
    event.event,
  );
  if (subscribed.length === 0) return;
  const shared = world.assume('event-id-scope') === 'per-event';
  for (const [index, endpoint] of subscribed.entries()) {
    const envelopeId = index === 0 || shared ? event.id : ids.next('evt');
    scheduleDelivery(world, faults, { event: seq, name: event.event, endpoint: endpoint.id, envelopeId });
  }
}

function scheduleDelivery(
  world: World,
  faults: Faults,
  it: { event: number; name: string; endpoint: string; envelopeId: string },
): void {
  const now = world.clock.now();
  const holding = listHeldDeliveries(world.store, it.endpoint).length > 0;
  const plan = faults.planSchedule({ event: it.name, endpoint: it.endpoint, holding });
  const nextAt = now + plan.delayMs;
  const seq = insertDelivery(world.store, { ...it, nextAt, now, heldForNext: plan.releasedByNext });
  world.schedule(deliveryJob, nextAt, seq, it.endpoint);
}
