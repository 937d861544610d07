/**
 * The caller's name for one intended withdrawal or charge. ASCII only: two Unicode spellings that look
 * alike would be two keys, and the second one would pay again.
 */
import type { IdempotencyKey } from './brand.ts';

/** The rule in words, to follow "must have". */
export const idempotencyKeyRule =
  '1 to 200 printable ASCII characters (no accents, tabs or line breaks), no space at either end';

/** The key, or null when it breaks `idempotencyKeyRule`. Case matters. */
export const parseIdempotencyKey = (text: string): IdempotencyKey | null =>
  /^[!-~](?:[ -~]{0,198}[!-~])?$/.test(text) ? (text as IdempotencyKey) : null;
