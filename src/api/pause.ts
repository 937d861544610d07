/** How long a wait for a status pauses between two reads, and what bounds each (`retry.ts` repeats failed reads). */
import { PixctlError } from '../errors.ts';
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
