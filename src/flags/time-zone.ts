/** Time zones by their IANA names (`America/Sao_Paulo`). */

/** Of what is written for Brazil, wherever it is written. */
export const brazilianZone = 'America/Sao_Paulo';

/** Whether the machine knows a time zone by that name. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** What to do about a `TZ` that is not taken. */
export const zoneRemedy = 'Spell the name exactly, as in TZ=America/Sao_Paulo, or leave TZ unset.';

/** What says UTC without being a name of it, or leaves the zone to a file. */
const otherThanName = /^:?\/|^:?localtime$|^:?[A-Za-z]{3,}[+-]?0/;

/**
 * Whether this process goes by its `TZ`. Node takes one that it cannot read (a misspelt name, one in lower case) for
 * UTC, without a word; so what moves the clocks was read, and what is UTC should say so.
 */
export function isZoneTaken(TZ: string, now: number): boolean {
  // First what costs nothing: the first use of `Intl` takes a fifth of the time that Node takes to start.
  if (new Date(now).getTimezoneOffset() !== 0 || otherThanName.test(TZ)) return true;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  if (timeZone === undefined || timeZone === 'Etc/Unknown') return false;
  return timeZone !== 'UTC' || isTimeZone(TZ.replace(/^:/, ''));
}
