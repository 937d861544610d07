/** Moments on the command line: a day, a month, a time, or how long ago. */
import { isoTime } from '../clock.ts';
import { parseIsoTime } from '../contract/iso-time.ts';
import { usageError } from '../errors.ts';
import { parseDuration } from './duration.ts';
import { instantOf, wallTimeAt } from './time-zone.ts';

/** The flags of a period, as typed. */
export interface PeriodFlags {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Both ends, in milliseconds since the epoch; null for an open end. */
interface Period {
  readonly since: number | null;
  readonly until: number | null;
}

/** What the meaning of a typed moment depends on. */
export interface TimeReference {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA time zone of a day, a month, and a time that names none; null: this machine's. */
  readonly zone: string | null;
}

/**
 * Reads `--since` and `--until`. Throws a usage error (64) for what is no moment, and for a period that contains none.
 */
export function parsePeriod({ since, until }: PeriodFlags, reference: TimeReference): Period {
  const from = since === undefined ? null : parseMoment('--since', since, reference);
  const to = until === undefined ? null : parseMoment('--until', until, reference, 'end');
  if (from === null || to === null || from <= to) return { since: from, until: to };
  throw usageError(`--since ${since} is after --until ${until}: nothing can match. Nothing was sent.`);
}

/** Whether a typed moment depends on the time zone. */
export const dependsOnTimeZone = (text: string): boolean =>
  /^(today|yesterday|\d{4}-\d{2}(-\d{2}([T ][\d:.]+)?)?)$/i.test(text);

/**
 * Milliseconds since the epoch. `2026-01-31`, `today` or `yesterday` is that day in the zone: its start, or its last
 * millisecond for `edge: 'end'`. `2026-01` is a month, likewise. A full ISO time is itself, in the zone if it names
 * none, and may have a space for its `T`, as tables show it. `24h` is that long before `now`, and a bare number of up
 * to seven digits is that many seconds ago: a longer one is more likely a Unix time or a day (`20260131`), and would
 * include everything. Throws a usage error (64) for anything else.
 */
export function parseMoment(
  flag: string,
  text: string,
  reference: TimeReference,
  edge: 'start' | 'end' = 'start',
): number {
  const { now, zone } = reference;
  // Four digits alone could mean a year.
  if (/^(\d{1,7}|\d+[smhd])$/.test(text) && !/^(19|20)\d\d$/.test(text))
    return now - parseDuration(text, flag);
  const span = spanOf(text, reference);
  if (span !== null) return edge === 'start' ? instantOf(span.first, zone) : instantOf(span.next, zone) - 1;
  const inZone = dependsOnTimeZone(text);
  const time = timeOf(inZone ? `${text}Z` : text);
  if (!Number.isNaN(time)) return inZone ? instantOf(time, zone) : time;
  throw usageError(
    `${flag}: "${text}" is not a moment. Nothing was sent.`,
    'Give a day (2026-01-31, today, yesterday), a month (2026-01), a time (2026-01-31T18:00:00Z), or how long ago (24h, 30d).',
  );
}

const dayMs = 86_400_000;

/** When a day or a month begins, and when the next one does, as if clocks showed UTC; null if it is neither. */
function spanOf(text: string, { now, zone }: TimeReference): { first: number; next: number } | null {
  const daysAgo = ['today', 'yesterday'].indexOf(text.toLowerCase());
  if (daysAgo !== -1) {
    const first = (Math.floor(wallTimeAt(now, zone) / dayMs) - daysAgo) * dayMs;
    return { first, next: first + dayMs };
  }
  const isMonth = text.length === 7;
  const first = midnightOf(isMonth ? `${text}-01` : text);
  if (first === null) return null;
  if (!isMonth) return { first, next: first + dayMs };
  // 31 days after the first of a month is one of the first days of the next.
  const later = first + 31 * dayMs;
  return { first, next: midnightOf(`${isoTime(later).slice(0, 7)}-01`) ?? later };
}

/** A time of a calendar day with its zone (`Z`, `-03:00`, `-0300`, `-03`); NaN for anything else. */
const timeOf = (text: string): number =>
  midnightOf(text.slice(0, 10)) !== null &&
  /^.{10}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)$/.test(text)
    ? parseIsoTime(text)
    : Number.NaN;

/** When a calendar day begins in UTC; null if there is no such day. */
function midnightOf(day: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const midnight = Date.parse(`${day}T00:00Z`);
  // JavaScript reads the 30th of February as a day in March.
  return !Number.isNaN(midnight) && isoTime(midnight).startsWith(day) ? midnight : null;
}
