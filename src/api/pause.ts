/** How long what waits for a status pauses between two looks. Apart from what repeats a request: a wait repeats none. */
import { PixctlError } from '../errors.ts';

/**
 * The pause before the next look of a wait, milliseconds: a service that asks to be left alone for longer than usual is,
 * as far as what is `left` of the wait goes. `last`: what the last look came to.
 */
export const pauseBetween = (usualMs: number, leftMs: number, last: unknown): number =>
  Math.min(Math.max(usualMs, last instanceof PixctlError ? (last.retryAfterMs ?? 0) : 0), leftMs);
