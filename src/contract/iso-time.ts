/** ISO 8601 as services write it: a day, a time, and a zone. */
const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ]([\d:.]+) ?(?:Z|([+-]\d{2})(?::?(\d{2}))?)?)?$/i;

/**
 * Milliseconds since the epoch of a time in an answer; NaN for anything but ISO 8601, where JavaScript would guess: it
 * reads `05/12/2026` as a day in May, and one in December may be meant. A time without a zone is UTC, like every time
 * that the document shows; read in the machine's zone, it would be a different moment on each machine.
 */
export function parseIsoTime(value: unknown): number {
  const [, day, time, hours = '+00', minutes = '00'] =
    typeof value === 'string' ? (iso.exec(value) ?? []) : [];
  if (day === undefined) return Number.NaN;
  return Date.parse(time === undefined ? day : `${day}T${time}${hours}:${minutes}`);
}
