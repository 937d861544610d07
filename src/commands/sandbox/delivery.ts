/** `pixctl sandbox deliveries|replay`: who was told of what, with what result, and telling it again. */
import { PixctlError } from '../../errors.ts';
import { doubtAbout } from '../../flags/event-name.ts';
import type { Runtime } from '../../runtime.ts';
import type { Delivery } from '../../sandbox/deliveries/delivery-list.ts';
import { type Control, controlOf } from './control.ts';
import { deliveryView } from './event-view.ts';
import { limitOf, queryOf } from './list-query.ts';

export interface DeliveryFlags {
  readonly event?: string;
  readonly endpoint?: string;
  readonly state?: string;
  readonly limit: string;
}

/** Newest first. `--event` is an event's id, an envelope's id or an event's name. */
export async function listDeliveries(runtime: Runtime, flags: DeliveryFlags): Promise<void> {
  const limit = limitOf(flags.limit);
  const output = await runtime.output();
  output.check(deliveryView);
  const { event, endpoint } = flags;
  const which = event?.startsWith('evt_') ? { eventId: event } : { event };
  const doubt = which.event === undefined ? null : doubtAbout(which.event);
  if (doubt !== null) output.warn(doubt);
  const query = queryOf({ ...which, endpoint, state: flags.state?.toUpperCase(), limit });
  const control = await controlOf(runtime);
  const deliveries = await control.call<Delivery[]>('GET', `/deliveries${query}`);
  await output.each(deliveryView, deliveries);
  if (deliveries.length > 0 || (await control.call<unknown[]>('GET', '/endpoints')).length > 0) return;
  output.note(
    'No endpoint is registered, so nobody is told of an event: pixctl webhook listen, or webhook add. They receive only what happens after that.',
  );
}

/** Real milliseconds: a little more than the time that an attempt may take. */
const patienceMs = 12_000;

/**
 * Sends an event again to every endpoint that was told of it, and shows what the first attempts came to.
 * Throws notFound (88) when nobody was told, endedBadly (83) when one did not take it.
 */
export async function replayEvent(
  runtime: Runtime,
  eventId: string,
  { identical = false }: { identical?: boolean },
): Promise<void> {
  const output = await runtime.output();
  output.check(deliveryView);
  const control = await controlOf(runtime);
  const made: Delivery[] = [];
  for (const { id } of await firstDeliveries(control, eventId)) {
    const how = identical ? 'identical' : 'resigned';
    made.push(await control.call<Delivery>('POST', `/deliveries/${id}/replay`, { how }));
  }
  const ended = await awaitAttempts(runtime, control, eventId, made);
  await output.each(deliveryView, ended);
  const failed = ended.filter(({ state }) => state !== 'DELIVERED').length;
  if (failed === 0) return;
  throw new PixctlError(
    'endedBadly',
    'NOT_DELIVERED',
    `${failed} of ${ended.length} did not accept the event.`,
    {
      hint: `Retries follow as for any delivery: pixctl sandbox deliveries --event ${eventId}`,
    },
  );
}

/** The original delivery to each endpoint: a replay of a replay would only add noise. */
async function firstDeliveries(control: Control, eventId: string): Promise<Delivery[]> {
  const told = await deliveriesOf(control, eventId);
  const originals = told.filter(({ replayOf }) => replayOf === null);
  if (originals.length > 0) return originals.reverse();
  throw new PixctlError(
    'notFound',
    'NOT_DELIVERED',
    `There is no delivery of ${eventId} to repeat. Nothing was sent.`,
    {
      hint: 'pixctl sandbox events lists events; an endpoint receives only those that happen after pixctl webhook add.',
    },
  );
}

const deliveriesOf = (control: Control, eventId: string) =>
  control.call<Delivery[]>('GET', `/deliveries${queryOf({ eventId, limit: 1_000 })}`);

/** The same deliveries once each has an attempt behind it, or patience ran out. */
async function awaitAttempts(
  { clock, signal }: Runtime,
  control: Control,
  eventId: string,
  made: readonly Delivery[],
): Promise<Delivery[]> {
  const numbers = new Set(made.map(({ id }) => id));
  const deadline = clock.monotonic() + patienceMs;
  for (;;) {
    const now = (await deliveriesOf(control, eventId)).filter(({ id }) => numbers.has(id)).reverse();
    const isOpen = ({ attempts }: Delivery) => (attempts[0]?.endedAt ?? null) === null;
    if (!now.some(isOpen) || clock.monotonic() > deadline || signal.aborted) return now;
    await clock.sleep(50, signal);
  }
}
