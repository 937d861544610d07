/** How long a wait for a status pauses between two reads, and what bounds each (`retry.ts` repeats failed reads). */
import { PixctlError } from '../errors.ts';
import type { CallOptions } from './client.ts';

/**
 * The pause before the next read of a wait, in milliseconds. Obeys a longer Retry-After of the service as far as the
 * rest of the wait (`leftMs`) allows. `last`: the result of the last read.
 */
export const pauseBetween = (usualMs: number, leftMs: number, last: unknown): number =>
  Math.min(Math.max(usualMs, last instanceof PixctlError ? (last.retryAfterMs ?? 0) : 0), leftMs);

/** The longest that one read of a wait may take: one that hangs must not take up a long wait. Milliseconds. */
const longestLookMs = 30_000;

/** The options of one read of a wait. `timeoutMs`: the client's own limit. `leftMs`: the rest of the wait. */
export const lookOptions = (timeoutMs: number, leftMs: number): CallOptions => ({
  timeoutMs: Math.min(timeoutMs, longestLookMs, Math.max(1_000, leftMs)),
  withinMs: leftMs,
});
