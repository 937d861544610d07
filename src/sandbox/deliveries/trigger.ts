/** An event made by hand: what no call brings about (`CHECKOUT_*`), or what a receiver is to be tried with. */
import type { World } from '../world/world.ts';
import type { Deliveries } from './deliveries.ts';
import type { SandboxEvent } from './event-log.ts';

/** The data gets an `id` unless it has one. Throws when the merchant is unknown. */
export function trigger(
  { world, deliveries }: { readonly world: World; readonly deliveries: Deliveries },
  merchantId: string,
  event: string,
  data: Record<string, unknown>,
): SandboxEvent {
  const { id } = world.store.transaction(() =>
    world.emit(merchantId, event, { id: world.ids.next('obj'), ...data }, world.clock.now()),
  );
  const made = deliveries.events.list({ merchantId, order: 'newest-first' }).find((it) => it.id === id);
  if (made === undefined) throw new Error(`event ${id} was not kept`);
  return made;
}
