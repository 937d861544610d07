/** How long a wait for a status pauses between two reads (`retry.ts` repeats failed reads). */
import { PixctlError } from '../errors.ts';

/**
 * The pause before the next read of a wait, in milliseconds. Obeys a longer Retry-After of the service as far as the
 * rest of the wait (`leftMs`) allows. `last`: the result of the last read.
 */
export const pauseBetween = (usualMs: number, leftMs: number, last: unknown): number =>
  Math.min(Math.max(usualMs, last instanceof PixctlError ? (last.retryAfterMs ?? 0) : 0), leftMs);
