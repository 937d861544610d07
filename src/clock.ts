/** Time as an argument: everything that waits or stamps takes a `Clock`, so that tests need no sleeps. */
import process from 'node:process';

export interface Clock {
  /** Milliseconds since the Unix epoch; may jump when the machine's clock is set. */
  now(): number;
  /** Milliseconds from an arbitrary start; never goes back. For deadlines and durations. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds, however many, or at once when `signal` aborts (it does not reject). */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * The longest delay that one of Node's timers can take, in milliseconds: nearly 25 days. Anything longer becomes 1 ms.
 */
export const longestTimerMs = 2 ** 31 - 1;

/** The delay of a timer that bounds something: `ms`, or the longest there is. Only `sleep` waits longer. */
export const timerDelay = (ms: number): number => Math.min(ms, longestTimerMs);

export const systemClock: Clock = {
  now: () => Date.now(),
  // Not `performance.now`: its first use loads all of Node's performance tools. And `hrtime` is not imported by name,
  // because Cloudflare's Workers from before September 2025 lack it, and they load this file for `pixctl/webhooks`.
  monotonic: () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1e3 + nanoseconds / 1e6;
  },
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      let timer: NodeJS.Timeout;
      const wait = (left: number) => {
        timer =
          left > longestTimerMs
            ? setTimeout(wait, longestTimerMs, left - longestTimerMs)
            : setTimeout(done, left);
      };
      wait(ms);
      signal?.addEventListener('abort', done, { once: true });
    }),
};

/**
 * Node's own timers, captured when this module is loaded. A test that replaces the timers of its process means its own
 * time, not that of a sandbox in the same process, whose work must go on.
 */
export const timers = {
  setImmediate: globalThis.setImmediate,
  clearImmediate: globalThis.clearImmediate,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
};

/**
 * Resolves once those who were waiting have been served: the event loop lets a connection in during one turn, and reads
 * and answers its request in the next. Await it between the steps of work that keeps a server busy for milliseconds.
 */
export async function yieldToEventLoop(): Promise<void> {
  for (let turns = 0; turns < 2; turns++) await new Promise((resolve) => setImmediate(resolve));
}

/** Resolves once `signal` aborts. Stops listening to it once `over` aborts: then it never resolves. */
export const untilAborted = (signal: AbortSignal, over?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true, ...(over && { signal: over }) });
  });

/** ISO 8601 in UTC, as the service writes times. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** As HTTP writes times, in its `Date` header. */
export const httpTime = (ms: number): string => new Date(ms).toUTCString();
