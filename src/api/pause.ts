/** How long a wait for a status pauses between two reads (`retry.ts` repeats a failed read). */
import { PixctlError } from '../errors.ts';

/**
 * The pause before the next read of a wait, milliseconds. A longer Retry-After of the service is obeyed, as far as the
 * time that is `left` of the wait allows. `last`: the result of the last read.
 */
export const pauseBetween = (usualMs: number, leftMs: number, last: unknown): number =>
  Math.min(Math.max(usualMs, last instanceof PixctlError ? (last.retryAfterMs ?? 0) : 0), leftMs);
