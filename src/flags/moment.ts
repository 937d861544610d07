/** Moments on the command line: a day, a time, or how long ago. */
import { usageError } from '../errors.ts';
import { parseDuration } from './duration.ts';

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

/** `--since` and `--until`. Throws a usage error (64) for what is no moment, and for a period that holds none. */
export function periodOf({ since, until }: PeriodFlags, now: number): Period {
  const from = since === undefined ? null : parseMoment('--since', since, now);
  const to = until === undefined ? null : parseMoment('--until', until, now, 'end');
  if (from === null || to === null || from <= to) return { since: from, until: to };
  throw usageError(`--since ${since} lies after --until ${until}: nothing can be between. Nothing was sent.`);
}

/**
 * Milliseconds since the epoch. `2026-01-31` is that day in local time, from its start, or to its last
 * millisecond for `edge: 'end'`; a full ISO time is itself, in local time without a zone; `24h` is that long
 * before `now`, and a bare number so many seconds. Throws a usage error (64) for anything else.
 */
export function parseMoment(
  flag: string,
  text: string,
  now: number,
  edge: 'start' | 'end' = 'start',
): number {
  // Four digits alone could be meant as a year.
  if (/^\d+[smhd]?$/.test(text) && !/^(19|20)\d\d$/.test(text)) return now - parseDuration(text, flag);
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
    `${flag}: "${text}" is not a moment. Nothing was sent.`,
    'Give a day (2026-01-31), a time (2026-01-31T18:00:00Z), or how long ago (24h, 30d).',
  );
}
