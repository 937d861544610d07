/** `--since` and `--until`: a duration back from now, or a time. */
import { usageError } from '../../errors.ts';
import { parseDuration } from '../../flags/duration.ts';

/** Milliseconds since the epoch. A time without a zone is UTC, as the service writes times. */
export function parseMoment(text: string, now: number): number {
  if (/^\d+[smhd]?$/.test(text)) return now - parseDuration(text);
  const zoned = /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(text) ? `${text}Z` : text;
  const moment = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(zoned) : Number.NaN;
  if (Number.isNaN(moment)) {
    throw usageError(`"${text}" is not a time.`, 'Give a duration back (30m, 24h) or 2026-01-02T03:04:05Z.');
  }
  return moment;
}

/** A whole number within bounds. Throws `usageError` (64). */
export function parseCount(flag: string, text: string, min: number, max: number): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(count >= min && count <= max)) {
    throw usageError(`${flag} takes a whole number from ${min} to ${max}, not "${text}".`);
  }
  return count;
}
