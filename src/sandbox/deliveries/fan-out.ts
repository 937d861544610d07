/**
 * Decides who receives an event. It runs in the transaction of the change that the event reports, so that a charge is
 * never paid without its deliveries, and no event is sent for a payment that is rolled back.
 */
import type { Faults } from '../faults/faults.ts';
import type { EmittedEvent, World } from '../world/world.ts';
import { scheduleDelivery } from './engine.ts';
import { listHeldDeliveries } from './records.ts';

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
  for (const [index, { id: endpoint }] of subscribed.entries()) {
    const envelopeId = index === 0 || shared ? event.id : ids.next('evt');
    const holding = listHeldDeliveries(store, endpoint).length > 0;
    const plan = faults.planSchedule({ event: event.event, endpoint, holding });
    const heldForNext = plan.releasedByNext;
    scheduleDelivery(world, { event: seq, endpoint, envelopeId, heldForNext }, plan.delayMs);
  }
}
