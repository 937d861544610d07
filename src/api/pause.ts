/** A wait for a status: the pauses between its reads, and what bounds each (`retry.ts` repeats failed reads). */
import type { Clock } from '../clock.ts';
import { orError, PixctlError } from '../errors.ts';
import type { Api, CallOptions } from './client.ts';

/**
 * The pause before the next read of a wait, in milliseconds. Obeys a longer Retry-After of the service as far as the
 * rest of the wait (`leftMs`) allows. `last`: the result of the last read.
 */
export const pauseBetween = (usualMs: number, leftMs: number, last: unknown): number =>
  Math.min(Math.max(usualMs, last instanceof PixctlError ? (last.retryAfterMs ?? 0) : 0), leftMs);

/** The options of one read of a wait, which must not take up all of it if it hangs. `leftMs`: the rest of the wait. */
export const lookOptions = ({ lookTimeoutMs }: Pick<Api, 'lookTimeoutMs'>, leftMs: number): CallOptions => ({
  timeoutMs: Math.min(lookTimeoutMs, Math.max(1_000, leftMs)),
  withinMs: leftMs,
});

interface WaitTimes {
  /** Bounds the whole wait. */
  readonly waitMs: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/**
 * Reads again and again, after pauses that grow: yields what a read gave, or why it failed. Ends when the time is over,
 * or `signal` has aborted.
 */
export async function* readRepeatedly<T>(
  { clock, signal }: { readonly clock: Pick<Clock, 'monotonic' | 'sleep'>; readonly signal: AbortSignal },
  { waitMs, firstPauseMs, longestPauseMs }: WaitTimes,
  read: (leftMs: number) => Promise<T>,
): AsyncGenerator<T | PixctlError, void, undefined> {
  const end = clock.monotonic() + waitMs;
  let last: unknown;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 1.3, longestPauseMs)) {
    const left = end - clock.monotonic();
    if (left <= 0) return;
    await clock.sleep(pauseBetween(pause, left, last), signal);
    if (signal.aborted) return;
    const given = await orError(read(end - clock.monotonic()));
    // A signal in the middle of a read is not what is wrong with it.
    if (signal.aborted && given instanceof PixctlError) return;
    yield given;
    last = given;
  }
}
