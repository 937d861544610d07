/** Waiting for events one after another, as a test does: each is handed out once. */
import { timerDelay } from '../../clock.ts';
import { PixctlError, usageError } from '../../errors.ts';
import { shown } from '../input/given.ts';
import type { EventFilter, EventLog, SandboxEvent } from './event-log.ts';

/**
 * Resolves with the first event that matches and was not handed out before, whether it happened already
 * or is to come. Rejects after `timeoutMs` of real time, and at once when the sandbox is closed.
 */
export type WaitForEvent = (wanted: string | EventFilter, timeoutMs?: number) => Promise<SandboxEvent>;

/** @param closed aborts when there is nothing more to come; nothing is looked up from then on */
export function eventWaiter(events: EventLog, closed: AbortSignal): WaitForEvent {
  const handedOut = new Set<number>();
  return async (wanted, timeoutMs = 5_000) => {
    const filter = typeof wanted === 'string' ? { event: wanted } : wanted;
    if (!(timeoutMs >= 0)) {
      throw usageError(`waitForEvent waits milliseconds, from 0 on, not ${shown(timeoutMs)}`);
    }
    const end = AbortSignal.any([closed, AbortSignal.timeout(timerDelay(timeoutMs))]);
    let after = filter.after ?? 0;
    for (;;) {
      const found = closed.aborted ? null : await events.wait({ ...filter, after }, timeoutMs, end);
      if (found === null) throw closed.aborted ? cutShort(filter) : missing(filter, timeoutMs);
      if (!handedOut.has(found.seq)) {
        handedOut.add(found.seq);
        return found;
      }
      after = found.seq;
    }
  };
}

const cutShort = (filter: EventFilter) =>
  new PixctlError(
    'pending',
    'CLOSED',
    `the sandbox was closed before an event ${JSON.stringify(filter)} came`,
  );

const missing = (filter: EventFilter, timeoutMs: number) =>
  new PixctlError(
    'pending',
    'NO_EVENT',
    `no further event ${JSON.stringify(filter)} came within ${timeoutMs} ms`,
  );
