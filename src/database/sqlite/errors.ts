/** Translates SQLite's failures, by primary result code (https://sqlite.org/rescode.html). */
import { messageOf, PixctlError, storageError } from '../../errors.ts';
import { ConstraintError } from '../port.ts';
import { unexpectedTablesError } from '../unexpected-tables.ts';

/** What to do about a file that is damaged or gone, by the room whose tables are in it. */
export interface Remedy {
  readonly damaged: string;
  readonly gone: string;
}

const back = 'Put the file back, with its -wal beside it, or restore it from a backup';

/** The remedy for a room. An inbox may be started afresh; a new ledger would pay again what the old one knows about. */
export const remedyOf = (room: string): Remedy =>
  room === 'inbox'
    ? {
        damaged: `Restore it from a backup, or move it away with its -wal and -shm: ${newInbox}`,
        gone: `${back}. Otherwise start again without it: ${newInbox}`,
      }
    : {
        damaged:
          'Restore it from a backup; never delete a ledger while the outcome of a withdrawal may be unknown.',
        gone: `${back}; never begin a new ledger while the outcome of a withdrawal may be unknown.`,
      };

const newInbox =
  'a new inbox is created, in which an event that was received before counts as new if it is delivered again.';

const words: Readonly<Record<number, readonly [what: string, hint: string]>> = {
  5: ['is busy: another process holds it', 'Run again in a moment.'],
  6: ['is busy: another process holds it', 'Run again in a moment.'],
  8: ['is read-only', 'Make the file and its directory writable, or set PIXCTL_STATE_DIR.'],
  10: ['could not be read or written', 'Check the disk: it may be full or failing.'],
  11: ['is damaged', 'damaged'],
  13: ['cannot grow: the disk is full', 'Free some space.'],
  14: [
    'could not be opened',
    'Check that the directory exists and is writable, and that this process may open more files (ulimit -n).',
  ],
  26: ['is not a database', 'damaged'],
};

const resultCode = (cause: unknown): number | null => {
  const { errcode } = (cause ?? {}) as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : null;
};

/** Whether another connection holds the database at the moment (SQLITE_BUSY, SQLITE_LOCKED). */
export const isBusy = (cause: unknown): boolean => [5, 6].includes(resultCode(cause) ?? 0);

/** Whether the disk was full. Also takes the translated error. */
export const isFull = (cause: unknown): boolean =>
  resultCode(cause instanceof PixctlError ? cause.cause : cause) === 13;

/** Returns what to throw instead of `cause`; errors that are not SQLite's stay as they are. */
export function translate(cause: unknown, location: string, remedy: Remedy): unknown {
  const code = resultCode(cause);
  if (code === null || cause instanceof PixctlError) return cause;
  const message = messageOf(cause);
  if (code === 19) return new ConstraintError(message.replace(/^\w+ constraint failed: /, ''), cause);
  if (code === 1 && lacksOurs.test(message)) return unexpectedTablesError(`the database ${location}`, cause);
  const [what, hint] = words[code] ?? [`failed: ${message}`, undefined];
  return storageError(`the database ${location} ${what}`, {
    cause,
    hint: hint === 'damaged' ? mendOf(cause, remedy) : hint,
  });
}

/** SQLITE_ERROR covers everything without a code of its own; only its words say what is missing. */
const lacksOurs = /^no such (?:table|column): |^table \w+ has no column named /;

/** SQLITE_CORRUPT_INDEX: a row exists that an index does not have. */
const mendOf = (cause: unknown, { damaged }: Remedy): string =>
  (cause as { errcode?: unknown }).errcode === 779
    ? damaged.replace(/^Restore/, mendIndexes('open it with sqlite3, and run REINDEX'))
    : damaged;

/**
 * Advice if only indexes are damaged; it replaces the "Restore" at the start of the remedy. `anew`: how to rebuild
 * them.
 */
export const mendIndexes = (anew: string): string =>
  `Copy it, then rebuild its indexes: ${anew}. If that fails, restore`;
