/** Waiting for events one after another, as a test does: each is handed out once. */
import { timerDelay } from '../../clock.ts';
import { PixctlError } from '../../errors.ts';
import type { EventFilter, EventLog, SandboxEvent } from './event-log.ts';

/**
 * Resolves with the first event that matches and was not handed out before, whether it happened already
 * or is to come. Rejects after `timeoutMs` of real time.
 */
export type WaitForEvent = (wanted: string | EventFilter, timeoutMs?: number) => Promise<SandboxEvent>;

export function eventWaiter(events: EventLog): WaitForEvent {
  const handedOut = new Set<number>();
  return async (wanted, timeoutMs = 5_000) => {
    const filter = typeof wanted === 'string' ? { event: wanted } : wanted;
    const late = AbortSignal.timeout(timerDelay(timeoutMs));
    let after = filter.after ?? 0;
    for (;;) {
      const found = await events.wait({ ...filter, after }, timeoutMs, late);
      if (found === null) throw missing(filter, timeoutMs);
      if (!handedOut.has(found.seq)) {
        handedOut.add(found.seq);
        return found;
      }
      after = found.seq;
    }
  };
}

const missing = (filter: EventFilter, timeoutMs: number) =>
  new PixctlError(
    'pending',
    'NO_EVENT',
    `no further event ${JSON.stringify(filter)} came within ${timeoutMs} ms`,
  );
