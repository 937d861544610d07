/** Percent-encoding for input on which JavaScript's own functions throw. */

/**
 * Like `encodeURIComponent`, which throws on half of a surrogate pair. An id with one belongs to no record, and must
 * not crash.
 */
export const encodeText = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Whether each `%` begins a code, and the codes form UTF-8. */
export function isDecodable(text: string): boolean {
  try {
    // The result is used because a bundler drops a call of `decodeURIComponent` whose result is not.
    return decodeURIComponent(text).length >= 0;
  } catch {
    return false;
  }
}
