/** The events of a sandbox in another process, as `waitForEvent` reads them: what was handed out is remembered here. */
import { replacementsHeader } from './control/request.ts';
import { type ControlClient, queryOf, toAnswer } from './control-client.ts';
import type { EventFilter, SandboxEvent } from './deliveries/event-log.ts';
import type { EventSource } from './deliveries/wait-for-event.ts';

/** Longest that one request waits. Real milliseconds. */
const longestWaitMs = 60_000;
/** Longest that a request may take which waits for nothing: the sandbox may hang. Real milliseconds. */
const longestLookMs = 5_000;

/** @param closed ends the waits that are under way */
export function createRemoteEvents(control: ControlClient, closed: AbortSignal): EventSource {
  let replacements = 0;
  const waitOnce = async (
    filter: EventFilter,
    timeout: number,
    limits: { readonly signal: AbortSignal; readonly timeoutMs?: number },
  ): Promise<SandboxEvent | 'replaced' | null> => {
    const { event, merchantId, about, after } = filter;
    const path = `/events/wait${queryOf({ event, merchantId, about, after, timeout, replacements })}`;
    const reply = await control.send({ method: 'GET', path, ...limits });
    if (reply.status === 408) return null;
    replacements = Number(reply.headers[replacementsHeader] ?? replacements);
    return reply.status === 409 ? 'replaced' : (toAnswer(control.url, reply) as SandboxEvent);
  };
  const wait: EventSource['wait'] = async (filter, ms, signal = closed, passed = new Set()) => {
    let { after } = filter;
    if (filter.order === 'newest-first') {
      const query = queryOf({ ...filter, limit: passed.size + 1 });
      const path = `/events${query}`;
      const reply = await control.send({ method: 'GET', path, signal: closed, timeoutMs: longestLookMs });
      const listed = toAnswer(control.url, reply) as SandboxEvent[];
      const found = listed.find(({ id }) => !passed.has(id));
      if (found !== undefined) return found;
      after = listed[0]?.seq ?? after;
    }
    // By what was asked for and not by a clock, which a test may have stopped.
    for (let left = ms; ; left -= longestWaitMs) {
      const wanted = { ...filter, after };
      const found = await waitOnce(wanted, Math.ceil(Math.min(left, longestWaitMs)), { signal }).catch(
        (cause) => {
          // The time is up, also for a wait that goes on because another one was handed what came: a last look.
          if (signal.aborted && !closed.aborted)
            return waitOnce(wanted, 0, { signal: closed, timeoutMs: longestLookMs });
          throw cause;
        },
      );
      if (found !== null || left <= longestWaitMs || signal.aborted) return found;
    }
  };
  return {
    get replacements() {
      return replacements;
    },
    wait: (...wanted) => wait(...wanted).catch((cause) => (closed.aborted ? null : Promise.reject(cause))),
  };
}
