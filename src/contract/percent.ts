/** Percent-encoding, where JavaScript throws. */

/** As `encodeURIComponent`, which throws at half of a surrogate pair: an id with one is that of no record, no crash. */
export const encodeText = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Whether each `%` begins a code, and the codes are UTF-8. */
export function isDecodable(text: string): boolean {
  try {
    // Of what it gives something is asked: a bundler leaves out a call of this one whose result is not used.
    return decodeURIComponent(text).length >= 0;
  } catch {
    return false;
  }
}
