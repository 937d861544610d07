/** Emits an event by hand: one that no call causes (`CHECKOUT_*`), or one to try a receiver with. */
import { eventNameForm } from '../../contract/event-names.ts';
import type { Deliveries } from '../deliveries/deliveries.ts';
import type { SandboxEvent } from '../deliveries/event-log.ts';
import { anObject, describeValue } from '../input/property-rules.ts';
import type { World } from '../world/world.ts';
import { Refusal } from './refusal.ts';

/**
 * Emits the event. The data gets an `id` unless it has one. Throws `Refusal` VALIDATION_ERROR for a name that no
 * endpoint could subscribe to, for data that is not an object, and for what JSON cannot write.
 */
export function trigger(
  { world, deliveries }: { readonly world: World; readonly deliveries: Deliveries },
  merchantId: string,
  event: string,
  data: Record<string, unknown>,
): SandboxEvent {
  const written = requireEventData(event, data);
  const { id } = world.store.transaction(() =>
    world.emit(merchantId, event, { id: world.ids.next('obj'), ...written }),
  );
  const made = deliveries.events.list({ merchantId, order: 'newest-first' }).find((it) => it.id === id);
  if (made === undefined) throw new Error(`event ${id} was not kept`);
  return made;
}

/** Returns the data of an event by hand as receivers will read it, or throws a `Refusal` as `trigger` does. */
export function requireEventData(event: string, data: Record<string, unknown>): Record<string, unknown> {
  if (typeof event !== 'string' || !eventNameForm.test(event)) {
    throw validationRefusal(`event: must be an upper-case event name, not ${describeValue(event)}`);
  }
  if (!anObject.holds(data))
    throw validationRefusal(`data: must be ${anObject.words}, not ${describeValue(data)}`);
  return toWrittenData(data);
}

const validationRefusal = (problem: string) => new Refusal('VALIDATION_ERROR', problem);

/**
 * Returns the data as receivers will read it. A test in this process may pass what no JSON could have brought, and
 * anybody may pass what is nested too deeply to be written. Throws a `Refusal`.
 */
export function toWrittenData(data: Record<string, unknown>): Record<string, unknown> {
  const written = JSON.parse(jsonOf(data));
  if (!anObject.holds(written))
    throw validationRefusal(`data: must be ${anObject.words} as JSON, not ${describeValue(written)}`);
  return written;
}

function jsonOf(data: Record<string, unknown>): string {
  try {
    return JSON.stringify(data, (name, value) => {
      if (typeof value === 'bigint')
        throw validationRefusal(`data: ${name} is a BigInt, which JSON cannot write`);
      return value;
    });
  } catch (cause) {
    if (cause instanceof RangeError) throw validationRefusal('data: is nested too deeply');
    if (cause instanceof TypeError && cause.message.startsWith('Converting circular structure'))
      throw validationRefusal('data: contains itself, which JSON cannot write');
    throw cause;
  }
}
