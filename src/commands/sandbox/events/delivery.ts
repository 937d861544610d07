/** `pixctl sandbox deliveries|replay`: shows what was delivered to whom, with what result, and delivers it again. */
import { asSentence, kindForSignal, PixctlError } from '../../../errors.ts';
import { warnOfUnknownEvents } from '../../../flags/event-name.ts';
import type { Runtime } from '../../../runtime.ts';
import type { Delivery } from '../../../sandbox/deliveries/delivery-list.ts';
import { type Control, openControl } from '../control.ts';
import { limitOf, queryOf } from '../list-query.ts';
import { deliveryView } from './view.ts';

export interface DeliveryFlags {
  readonly event?: string;
  readonly endpoint?: string;
  readonly state?: string;
  readonly limit: string;
}

/** Lists deliveries, newest first. `--event` is an event's id, an envelope's id or an event's name. */
export async function listDeliveries(runtime: Runtime, flags: DeliveryFlags): Promise<void> {
  const limit = limitOf(flags.limit);
  const output = await runtime.output(deliveryView);
  const { event, endpoint } = flags;
  const which = event?.startsWith('evt_') ? { eventId: event } : { event };
  if (which.event !== undefined) warnOfUnknownEvents([which.event], output.warn);
  const query = queryOf({ ...which, endpoint, state: flags.state?.toUpperCase(), limit });
  const control = await openControl(runtime);
  const deliveries = await control.call<Delivery[]>('GET', `/deliveries${query}`);
  await output.each(deliveryView, deliveries);
  if (deliveries.length > 0 || (await control.call<unknown[]>('GET', '/endpoints')).length > 0) return;
  output.note(
    'No endpoint is registered, so events are delivered to nobody: register one with pixctl webhook listen or webhook add. It receives only what happens after that.',
  );
}

/** A little more than an attempt may take. Real milliseconds. */
const patienceMs = 12_000;

/**
 * Sends an event again to every endpoint that it was delivered to, and shows how the first attempts ended. Throws
 * notFound (88) if it was delivered to nobody, endedBadly (83) if an endpoint did not accept it or was not sent it,
 * pending (82) if one has not answered yet.
 */
export async function replayEvent(
  runtime: Runtime,
  eventId: string,
  { identical = false }: { identical?: boolean },
): Promise<void> {
  const output = await runtime.output(deliveryView);
  const control = await openControl(runtime);
  const deliveries = await firstDeliveries(control, eventId);
  const how = identical ? 'identical' : 'resigned';
  const made: Delivery[] = [];
  const waitForAll = async () => {
    for (const { id } of deliveries)
      made.push(await control.call<Delivery>('POST', `/deliveries/${id}/replay`, { how }));
    return awaitAttempts(runtime, control, eventId, made);
  };
  const ended = await waitForAll().catch((cause: unknown) => {
    throw made.length === 0
      ? cause
      : cutShortError(runtime, { eventId, made: made.length, all: deliveries.length }, cause);
  });
  await output.each(deliveryView, ended);
  const answered = ended.filter((delivery) => !isOpen(delivery));
  const open = made.length - answered.length;
  const refused = answered.filter(({ state }) => state !== 'DELIVERED').length;
  const said = [
    ...(refused === 0 ? [] : [`${refused} of ${made.length} did not accept the event.`]),
    ...(open === 0 ? [] : [`${open} of ${made.length} have not been answered yet.`]),
  ];
  if (said.length === 0) return;
  throw new PixctlError(
    refused === 0 ? 'pending' : 'endedBadly',
    refused === 0 ? 'NOT_ANSWERED' : 'NOT_DELIVERED',
    said.join(' '),
    { hint: `Retries follow as for any delivery: ${listLine(eventId)}` },
  );
}

const listLine = (eventId: string): string => `pixctl sandbox deliveries --event ${eventId}`;

/** The error for a replay that was cut short. Some were sent again, so no code may say that nothing was. */
function cutShortError(
  { signal }: Runtime,
  { eventId, made, all }: { readonly eventId: string; readonly made: number; readonly all: number },
  cause: unknown,
): PixctlError {
  const known = cause instanceof PixctlError ? cause : null;
  const why = signal.aborted
    ? `Stopped by ${String(signal.reason)}.`
    : asSentence(String(known?.message ?? cause));
  const kind = () => {
    if (known?.kind === 'unknown') return 'unknown';
    if (signal.aborted) return kindForSignal(signal.reason);
    return made === all ? 'pending' : 'endedBadly';
  };
  const message = `${made} of ${all} were sent again, and what became of them is not known. ${why}`;
  return new PixctlError(kind(), 'CUT_SHORT', message, { hint: `${listLine(eventId)} shows it.`, cause });
}

/**
 * Returns the first delivery to each endpoint: a replay of a replay would only add noise. The first may be a replay
 * itself, of another event: that is how an edited copy is delivered.
 */
async function firstDeliveries(control: Control, eventId: string): Promise<Delivery[]> {
  const newestFirst = await deliveriesOf(control, eventId);
  const first = new Map(newestFirst.map((delivery) => [delivery.endpoint, delivery]));
  if (first.size > 0) return [...first.values()].reverse();
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

/** Returns the same deliveries once each has had an attempt, or patience ran out. Throws the signal's name. */
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
    if (!now.some(isOpen) || clock.monotonic() > deadline) return now;
    await clock.sleep(50, signal);
    signal.throwIfAborted();
  }
}

/** Whether its first attempt has not ended. */
const isOpen = ({ attempts }: Delivery): boolean => (attempts[0]?.endedAt ?? null) === null;
