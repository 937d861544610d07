/** Moments on the command line: a day, a time, or how long ago. */
import { isoTime } from '../clock.ts';
import { usageError } from '../errors.ts';
import { parseDuration } from './duration.ts';
import { instantOf } from './wall-time.ts';

/** The flags of a period, as typed. */
export interface PeriodFlags {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Both ends, milliseconds since the epoch; null where there is none. */
export interface Period {
  readonly since: number | null;
  readonly until: number | null;
}

/** What a moment as typed depends on. */
export interface Standpoint {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA time zone of a day, and of a time that names none; null: this machine's. */
  readonly zone: string | null;
}

/** `--since` and `--until`. Throws a usage error (64) for what is no moment, and for a period that holds none. */
export function periodOf({ since, until }: PeriodFlags, standpoint: Standpoint): Period {
  const from = since === undefined ? null : parseMoment('--since', since, standpoint);
  const to = until === undefined ? null : parseMoment('--until', until, standpoint, 'end');
  if (from === null || to === null || from <= to) return { since: from, until: to };
  throw usageError(`--since ${since} is after --until ${until}: nothing can match. Nothing was sent.`);
}

/** Whether a moment as typed is a different one in a different zone. */
export const isWithoutZone = (text: string): boolean => /^\d{4}-\d{2}-\d{2}(T[\d:.]+)?$/.test(text);

/**
 * Milliseconds since the epoch. `2026-01-31` is that day in the zone, from its start, or to its last
 * millisecond for `edge: 'end'`; a full ISO time is itself, in the zone where it names none; `24h` is that long
 * before `now`, and a bare number of up to seven digits so many seconds: a longer one is rather meant as a Unix time
 * or a day (`20260131`), and would take in everything. Throws a usage error (64) for anything else.
 */
export function parseMoment(
  flag: string,
  text: string,
  { now, zone }: Standpoint,
  edge: 'start' | 'end' = 'start',
): number {
  // Four digits alone could be meant as a year.
  if (/^(\d{1,7}|\d+[smhd])$/.test(text) && !/^(19|20)\d\d$/.test(text))
    return now - parseDuration(text, flag);
  const day = text.slice(0, 10);
  const midnight = midnightOf(day);
  if (midnight !== null && text === day)
    return edge === 'start' ? instantOf(midnight, zone) : instantOf(midnight + 86_400_000, zone) - 1;
  if (midnight !== null && /^.{10}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/.test(text)) {
    const at = isWithoutZone(text) ? instantOf(Date.parse(`${text}Z`), zone) : Date.parse(text);
    if (!Number.isNaN(at)) return at;
  }
  throw usageError(
    `${flag}: "${text}" is not a moment. Nothing was sent.`,
    'Give a day (2026-01-31), a time (2026-01-31T18:00:00Z), or how long ago (24h, 30d).',
  );
}

/** When a day of the calendar begins in UTC; null for what is none. */
function midnightOf(day: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const midnight = Date.parse(`${day}T00:00Z`);
  // The 30th of February would be read as a day of March.
  return !Number.isNaN(midnight) && isoTime(midnight).startsWith(day) ? midnight : null;
}
