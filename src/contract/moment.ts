/** ISO 8601 as services write it: a day, a time, and a zone. */
const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ]([\d:.]+) ?(?:Z|([+-]\d{2})(?::?(\d{2}))?)?)?$/i;

/**
 * Milliseconds since the epoch of a time in an answer; NaN for what is no ISO 8601: `05/12/2026` is read as a day of
 * May by JavaScript, and one of December was written. One that names no zone is in UTC, as all that the document shows:
 * read in the zone of this machine it would be another moment on each.
 */
export function momentOf(value: unknown): number {
  const [, day, time, hours = '+00', minutes = '00'] =
    typeof value === 'string' ? (iso.exec(value) ?? []) : [];
  if (day === undefined) return Number.NaN;
  return Date.parse(time === undefined ? day : `${day}T${time}${hours}:${minutes}`);
}
