/** Waits for events one after another, as a test does. Each is handed out once. */
import { timerDelay } from '../../clock.ts';
import { PixctlError, usageError } from '../../errors.ts';
import { unknownEventWarning } from '../../flags/event-name.ts';
import { describeValue } from '../input/property-rules.ts';
import type { EventFilter, EventLog, SandboxEvent } from './event-log.ts';

/**
 * Resolves with the first matching event that was not handed out before, whether it has happened already or is still to
 * come. Rejects after `timeoutMs` of real time, and at once when the sandbox is closed.
 */
export type WaitForEvent = (wanted: string | EventFilter, timeoutMs?: number) => Promise<SandboxEvent>;

/** Where the events come from: the log itself, or that of a sandbox in another process. */
export interface EventSource extends Pick<EventLog, 'replacements'> {
  /** As that of `EventLog`. `replaced`: the place in the filter was that of a log that has been replaced since. */
  wait(...wanted: Parameters<EventLog['wait']>): Promise<SandboxEvent | 'replaced' | null>;
}

/**
 * @param closed aborts when nothing more can come; nothing is looked up from then on
 * @param what is closed then, in words
 */
export function createWaitForEvent(
  events: EventSource,
  closed: AbortSignal,
  what = 'the sandbox',
): WaitForEvent {
  // By id, because after a restore an event of another past may have the number of one that is gone.
  const handedOut = new Set<string>();
  const places = placesIn(events);
  const endError = (filter: EventFilter, timeoutMs: number) =>
    closed.aborted ? closedError(filter, what) : noEventError(filter, timeoutMs);
  const findNext = async (filter: EventFilter, timeoutMs: number): Promise<SandboxEvent> => {
    const end = AbortSignal.any([closed, AbortSignal.timeout(timerDelay(timeoutMs))]);
    const place = places(filter);
    const passed = filter.order === 'newest-first' ? handedOut : undefined;
    for (;;) {
      const rest = { ...filter, after: place.from() };
      const found = closed.aborted ? null : await events.wait(rest, timeoutMs, end, passed);
      if (found === null) throw endError(filter, timeoutMs);
      if (found === 'replaced') continue;
      place.reach(found.seq);
      if (handedOut.has(found.id)) continue;
      handedOut.add(found.id);
      return found;
    }
  };
  return async (wanted, timeoutMs = 5_000) => {
    if (!(typeof timeoutMs === 'number' && timeoutMs >= 0)) {
      throw usageError(`waitForEvent waits milliseconds, from 0 on, not ${describeValue(timeoutMs)}`);
    }
    return findNext(typeof wanted === 'string' ? { event: wanted } : wanted, timeoutMs);
  };
}

/**
 * Remembers, for each filter, how far the log has been handed out, so that it is not searched from the start again: the
 * thousandth wait would go through a thousand events.
 */
function placesIn(events: EventSource) {
  const reached = new Map<string, number>();
  let replacements = 0;
  return ({ event, merchantId, about, after, order }: EventFilter) => {
    const name = JSON.stringify([event, merchantId, about, after, order]);
    let lookedAt = 0;
    return {
      /** Where the search begins. */
      from() {
        // Newest first, no place marks the end of what was handed out: whatever comes next is newer still.
        if (order === 'newest-first') return after;
        if (events.replacements !== replacements) reached.clear();
        replacements = lookedAt = events.replacements;
        return Math.max(after ?? 0, reached.get(name) ?? 0);
      },
      /**
       * Ignored if the log was replaced in the meantime: the event may then lie behind others that were not handed out.
       */
      reach(seq: number) {
        if (lookedAt === events.replacements) reached.set(name, seq);
      },
    };
  };
}

const closedError = (filter: EventFilter, what: string) =>
  new PixctlError('pending', 'CLOSED', `${what} was closed before an event ${JSON.stringify(filter)} came`);

const noEventError = (filter: EventFilter, timeoutMs: number) => {
  const doubt = filter.event === undefined ? null : unknownEventWarning(filter.event);
  return new PixctlError(
    'pending',
    'NO_EVENT',
    `no further event ${JSON.stringify(filter)} came within ${timeoutMs} ms${doubt === null ? '' : `. ${doubt}`}`,
  );
};
