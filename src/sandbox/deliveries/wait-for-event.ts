/** Waiting for events one after another, as a test does: each is handed out once. */
import { PixctlError } from '../../errors.ts';
import type { EventFilter, EventLog, SandboxEvent } from './event-log.ts';

export interface EventWaiter {
  /**
   * The first event that matches and was not handed out before, whether it happened already or is to come.
   * Rejects after `timeoutMs` of real time (5 seconds unless said otherwise).
   */
  waitForEvent(
    event: string,
    wanted?: Pick<EventFilter, 'about' | 'merchantId'> & { timeoutMs?: number },
  ): Promise<SandboxEvent>;
}

export function eventWaiter(events: EventLog): EventWaiter {
  const handedOut = new Set<number>();
  return {
    async waitForEvent(event, { timeoutMs = 5_000, ...wanted } = {}) {
      let after = 0;
      const giveUp = AbortSignal.timeout(timeoutMs);
      for (;;) {
        const found = await events.wait({ ...wanted, event, after }, timeoutMs, giveUp);
        if (found === null) throw missing(event, timeoutMs);
        if (!handedOut.has(found.seq)) {
          handedOut.add(found.seq);
          return found;
        }
        after = found.seq;
      }
    },
  };
}

const missing = (event: string, timeoutMs: number) =>
  new PixctlError('pending', 'NO_EVENT', `no further ${event} came within ${timeoutMs} ms`);
