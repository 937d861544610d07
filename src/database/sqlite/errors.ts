/** SQLite's failures as ours, by its primary result code (https://sqlite.org/rescode.html). */
import { PixctlError, storageError } from '../../errors.ts';
import { ConstraintError } from '../port.ts';

/** Of the ledger's file and of the inbox's, which has no withdrawals in it. */
const damaged =
  'Restore it from a backup; never delete a ledger while the outcome of a withdrawal may be unknown.';

const words: Readonly<Record<number, readonly [what: string, hint: string]>> = {
  5: ['is busy: another process holds it', 'Run again in a moment.'],
  6: ['is busy: another process holds it', 'Run again in a moment.'],
  8: ['is read-only', 'Make the file and its directory writable, or set PIXCTL_STATE_DIR.'],
  10: ['could not be read or written', 'Check the disk: it may be full or failing.'],
  11: ['is damaged', damaged],
  13: ['cannot grow: the disk is full', 'Free some space.'],
  14: ['could not be opened', 'Check that the directory exists and is writable.'],
  26: ['is not a database', damaged],
};

const resultCode = (cause: unknown): number | null => {
  const { errcode } = (cause ?? {}) as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : null;
};

export const isBusy = (cause: unknown): boolean => [5, 6].includes(resultCode(cause) ?? 0);

/** Also of what it was translated to. */
export const isFull = (cause: unknown): boolean =>
  resultCode(cause instanceof PixctlError ? cause.cause : cause) === 13;

/** What to throw instead of `cause`; errors that are not SQLite's stay as they are. */
export function translate(cause: unknown, location: string): unknown {
  const code = resultCode(cause);
  if (code === null || cause instanceof PixctlError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (code === 19) return new ConstraintError(message.replace(/^\w+ constraint failed: /, ''), cause);
  const [what, hint] = words[code] ?? [`failed: ${message}`, undefined];
  return storageError(`the database ${location} ${what}`, { cause, hint });
}
