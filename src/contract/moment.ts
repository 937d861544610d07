/**
 * Milliseconds since the epoch of a time in an answer; NaN for what is no text that can be read as one. One that names no
 * zone is in UTC, as all that the document shows: read in the zone of this machine it would be another moment on each.
 */
export function momentOf(value: unknown): number {
  if (typeof value !== 'string') return Number.NaN;
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})[T ]([\d:.]+)$/.exec(value) ?? [];
  return Date.parse(day === undefined ? value : `${day}T${time}Z`);
}
