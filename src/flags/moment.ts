/** Moments on the command line: a day, a time, or how long ago. */
import { usageError } from '../errors.ts';
import { parseDuration } from './duration.ts';

/**
 * Milliseconds since the epoch. `2026-01-31` is that day in local time, from its start, or to its last
 * millisecond for `edge: 'end'`; a full ISO time is itself; `24h` is that long before `now`.
 * Throws a usage error (64) for anything else.
 */
export function parseMoment(text: string, now: number, edge: 'start' | 'end' = 'start'): number {
  if (/^\d+[smhd]$/.test(text)) return now - parseDuration(text);
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (day !== null) {
    const [year = 0, month = 0, date = 0] = day.slice(1).map(Number);
    const start = new Date(year, month - 1, date);
    if (start.getMonth() === month - 1 && start.getDate() === date) {
      return edge === 'start' ? start.getTime() : new Date(year, month - 1, date + 1).getTime() - 1;
    }
  } else if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/.test(text)) {
    const at = Date.parse(text);
    if (!Number.isNaN(at)) return at;
  }
  throw usageError(
    `"${text}" is not a moment. Nothing was sent.`,
    'Give a day (2026-01-31), a time (2026-01-31T18:00:00Z), or how long ago (24h, 30d).',
  );
}
