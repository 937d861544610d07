/** Percent-encoding, where JavaScript throws. */

/** As `encodeURIComponent`, which throws at half of a surrogate pair: an id with one is that of no record, no crash. */
export const encodeText = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Whether each `%` begins a code, and the codes are UTF-8. */
export function isDecodable(text: string): boolean {
  try {
    // The result is used, because a bundler drops a call of `decodeURIComponent` whose result is not.
    return decodeURIComponent(text).length >= 0;
  } catch {
    return false;
  }
}
