/** `pixctl sandbox events|emit`: shows what happened, and makes events happen by hand. */
import { PixctlError } from '../../../errors.ts';
import { warnOfUnknownEvents } from '../../../flags/event-name.ts';
import { readJsonObject } from '../../../runtime/input-file.ts';
import type { Runtime } from '../../../runtime.ts';
import type { SandboxEvent } from '../../../sandbox/deliveries/event-log.ts';
import { type Control, openControl } from '../control.ts';
import { followList } from '../follow-list.ts';
import { limitOf, queryOf } from '../list-query.ts';
import { eventView } from './view.ts';

export interface EventFlags {
  readonly event?: string;
  readonly about?: string;
  readonly merchant?: string;
  readonly limit: string;
  readonly follow?: boolean;
}

/**
 * Lists events, oldest first, so that the newest is right above the prompt. With `follow`, new ones are added until a
 * signal, or for as long as `--timeout` says, which counts as a success.
 */
export async function listEvents(runtime: Runtime, flags: EventFlags): Promise<void> {
  const limit = limitOf(flags.limit);
  const output = await runtime.output(eventView);
  if (flags.event !== undefined) warnOfUnknownEvents([flags.event], output.warn);
  const wanted = { event: flags.event, about: flags.about, merchantId: flags.merchant };
  const control = await openControl(runtime);
  const query = queryOf({ ...wanted, order: 'newest-first', limit });
  const past = (await control.call<SandboxEvent[]>('GET', `/events${query}`)).reverse();
  if (flags.follow !== true) return void (await output.each(eventView, past));
  await followList(runtime, output, {
    view: eventView,
    what: 'events',
    createItems: (signal, waiting) => follow(signal, waiting, wanted, past),
  });
}

/** Yields past events, then new ones, until `signal`. */
export async function* follow(
  signal: AbortSignal,
  control: Control,
  wanted: Readonly<Record<string, string | undefined>>,
  past: readonly SandboxEvent[],
): AsyncGenerator<SandboxEvent> {
  yield* past;
  let after = past.at(-1)?.seq ?? 0;
  while (!signal.aborted) {
    const next = await nextEvent(
      control,
      `/events/wait${queryOf({ ...wanted, after, timeout: 60_000 })}`,
      signal,
    );
    if (next === null) continue;
    after = next.seq;
    yield next;
  }
}

/** Waits for an event. Null if none came in time, or a signal ended the wait. */
async function nextEvent(control: Control, path: string, signal: AbortSignal): Promise<SandboxEvent | null> {
  try {
    return await control.call<SandboxEvent>('GET', path);
  } catch (error) {
    if (signal.aborted || (error instanceof PixctlError && error.kind === 'pending')) return null;
    throw error;
  }
}

export interface EmitFlags {
  readonly data?: string;
  readonly merchant?: string;
}

/** Emits an event and shows it as it was stored. Its deliveries are on their way. */
export async function emitEvent(runtime: Runtime, event: string, flags: EmitFlags): Promise<void> {
  const data = flags.data === undefined ? {} : { data: await readJsonObject(runtime, flags.data) };
  const merchant = flags.merchant === undefined ? {} : { merchantId: flags.merchant };
  const output = await runtime.output(eventView);
  const control = await openControl(runtime);
  const made = await control.call<SandboxEvent>('POST', '/events', { event, ...data, ...merchant });
  // Only now, because the sandbox refuses a name of another form, which then needs no warning.
  warnOfUnknownEvents([event], output.warn);
  await output.show(eventView, made);
  // The event exists: whatever comes of this question, it only decides a note.
  const deliveries = await control
    .call<unknown[]>('GET', `/deliveries${queryOf({ eventId: made.id, limit: 1 })}`)
    .catch(() => null);
  output.note(
    deliveries?.length === 0
      ? `No endpoint of this merchant subscribes to ${event}, so it is delivered to nobody. Register one: pixctl webhook add --url <url> --events ${event}, or pixctl webhook listen --events ${event}.`
      : `Its deliveries: pixctl sandbox deliveries --event ${made.id}`,
  );
}
