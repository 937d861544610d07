/** An event made by hand: what no call brings about (`CHECKOUT_*`), or what a receiver is to be tried with. */
import { eventNameForm } from '../../contract/event.ts';
import type { Deliveries } from '../deliveries/deliveries.ts';
import type { SandboxEvent } from '../deliveries/event-log.ts';
import { anObject, shown } from '../input/given.ts';
import type { World } from '../world/world.ts';
import { Refusal } from './refusal.ts';

/**
 * The data gets an `id` unless it has one. Throws `Refusal` VALIDATION_ERROR for a name that no endpoint could
 * subscribe to, and for data that is no object.
 */
export function trigger(
  { world, deliveries }: { readonly world: World; readonly deliveries: Deliveries },
  merchantId: string,
  event: string,
  data: Record<string, unknown>,
): SandboxEvent {
  const refuse = (problem: string) => new Refusal('VALIDATION_ERROR', problem);
  if (typeof event !== 'string' || !eventNameForm.test(event)) {
    throw refuse(`event: must be an upper-case event name, not ${shown(event)}`);
  }
  if (!anObject.holds(data)) throw refuse(`data: must be ${anObject.words}, not ${shown(data)}`);
  const { id } = world.store.transaction(() =>
    world.emit(merchantId, event, { id: world.ids.next('obj'), ...data }, world.clock.now()),
  );
  const made = deliveries.events.list({ merchantId, order: 'newest-first' }).find((it) => it.id === id);
  if (made === undefined) throw new Error(`event ${id} was not kept`);
  return made;
}
