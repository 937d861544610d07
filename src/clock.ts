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

/** What one of Node's timers can wait, milliseconds: nearly 25 days. It takes anything longer for 1 ms. */
export const longestTimerMs = 2 ** 31 - 1;

/** The delay of a timer that bounds something: `ms`, or the longest there is. Only `sleep` waits for longer. */
export const timerDelay = (ms: number): number => Math.min(ms, longestTimerMs);

export const systemClock: Clock = {
  now: () => Date.now(),
  // Not `performance.now`: its first use loads all of Node's performance tools. Nor is `hrtime` imported by its name,
  // which Cloudflare's Workers of before September 2025 do not have: they load this for `pixctl/webhooks`.
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
 * Node's own timers, taken when this module is loaded. A test that replaces the timers of its process means its own
 * time, and not that of a sandbox in the same process, whose work must go on.
 */
export const timers = {
  setImmediate: globalThis.setImmediate,
  clearImmediate: globalThis.clearImmediate,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
};

/**
 * Resolves when whoever was waiting has been served: a connection is let in during one turn of the event loop, and
 * its request is read and answered in the next. For between the steps of what keeps a server busy for milliseconds.
 */
export async function letServe(): Promise<void> {
  for (let turns = 0; turns < 2; turns++) await new Promise((resolve) => setImmediate(resolve));
}

/** ISO 8601 in UTC, as the service writes times. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** As HTTP writes times, in its header `Date`. */
export const httpTime = (ms: number): string => new Date(ms).toUTCString();
