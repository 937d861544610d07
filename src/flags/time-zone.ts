/** Time zones by their IANA names (`America/Sao_Paulo`), and what clocks in them show. */

/** The zone of what is written for Brazil, wherever it is written. */
export const brazilianZone = 'America/Sao_Paulo';

/** Whether the machine knows a time zone by that name. */
export const isTimeZone = (text: string): boolean => formatterOf(text) !== null;

/** What to do about a `TZ` that has no effect. */
export const zoneRemedy = 'Spell the name exactly, as in TZ=America/Sao_Paulo, or leave TZ unset.';

/** Values that say UTC without naming it, or leave the zone to a file. */
const otherThanName = /^:?\/|^:?localtime$|^:?[A-Za-z]{3,}[+-]?0/;

/**
 * Whether this process follows its `TZ`. Node silently takes a `TZ` that it cannot read (a misspelt name, one in lower
 * case) as UTC. So a zone that moves the clocks was read, and one that leaves them at UTC must say so.
 */
export function isTimeZoneInEffect(TZ: string, now: number): boolean {
  // The cheap test first: the first use of `Intl` takes a fifth of Node's start-up time.
  if (new Date(now).getTimezoneOffset() !== 0 || otherThanName.test(TZ)) return true;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  if (timeZone === undefined || timeZone === 'Etc/Unknown') return false;
  return timeZone !== 'UTC' || isTimeZone(TZ.replace(/^:/, ''));
}

/**
 * What the clocks of `zone` (null, or a name that is not known: this machine) show at an instant, in milliseconds as if
 * they showed UTC.
 */
export const wallTimeAt = (at: number, zone: string | null): number => at + offsetsOf(zone)(at);

/**
 * The instant (milliseconds since the epoch) at which the clocks of `zone` (null: this machine) first show `wall`,
 * which is given as if they showed UTC. A wall time that a clock change skips is taken as later by the length of the
 * gap.
 */
export function instantOf(wall: number, zone: string | null): number {
  const offsetAt = offsetsOf(zone);
  // A day before and a day after: the two differ if the clocks change in between.
  const before = offsetAt(wall - dayMs);
  const after = offsetAt(wall + dayMs);
  const isShown = (offset: number) => offsetAt(wall - offset) === offset;
  return isShown(before) || !isShown(after) ? wall - before : wall - after;
}

const dayMs = 86_400_000;

/**
 * The range in which the output of `Intl` can be parsed: years of four digits. No zone changes its clocks before it;
 * after it, they are taken to stand as on its last day.
 */
const readable = { first: Date.UTC(1001, 0, 1), last: Date.UTC(9999, 11, 30) };

const formatters = new Map<string, Intl.DateTimeFormat | null>();

/**
 * Writes an instant as `2026-01-02 00:04:05`, as clocks in `zone` show it; null if this machine knows no zone of that
 * name. To be called only once a time is shown or read: the first use of `Intl` takes a fifth of Node's start-up time.
 */
export function formatterOf(zone: string): Intl.DateTimeFormat | null {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  const made = createFormatter(zone);
  formatters.set(zone, made);
  return made;
}

function createFormatter(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  } catch {
    return null;
  }
}

/** How far the clocks of a zone are ahead of UTC at an instant, in milliseconds. */
function offsetsOf(zone: string | null): (at: number) => number {
  const format = zone === null ? null : formatterOf(zone);
  if (format === null) return (at) => -60_000 * new Date(at).getTimezoneOffset();
  return (at) => {
    const second = Math.floor(Math.min(Math.max(at, readable.first), readable.last) / 1_000) * 1_000;
    return Date.parse(`${format.format(second).replace(' ', 'T')}Z`) - second;
  };
}
