/**
 * Whether the log (`-wal`) beside a database continues that file. SQLite cannot tell: it writes what a killed process
 * left in the log into whatever file has the name, such as a backup that was put back, and the result is neither of the
 * two.
 *
 * Each commit to a file that is checked raises its `user_version` by one (`incrementCommitNumber`). So the number in a
 * log's first commit is one above that of the file it continues, and the file, into which the log is copied bit by bit,
 * is never ahead of the last. A log without such a commit is not judged, because an older version of this program wrote
 * it; nor is one whose numbers fall.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Clock } from '../../clock.ts';
import { configError } from '../../errors.ts';
import { logOf, realOf } from './file.ts';

/** Call it within a transaction that writes. */
export function incrementCommitNumber(database: DatabaseSync): void {
  database.exec(`PRAGMA user_version = ${(numberOf(database) % 0x7fffffff) + 1}`);
}

const numberOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.user_version);

/** How many readings must agree: a log that is being written belongs to the file that its writer has open. */
const readings = 3;
const pauseMs = 100;

/** Call it before SQLite opens the file. Throws `configError` (78, `DATABASE_MIXED`) before anything is changed. */
export async function assertLogMatchesFile(
  path: string,
  Database: typeof DatabaseSync,
  clock: Pick<Clock, 'sleep'>,
): Promise<void> {
  let before: string | null = null;
  for (let reading = 1; ; reading++) {
    const log = readLog(logOf(path));
    const file = log === null ? null : numberInFile(path, Database);
    if (log === null || file === null || (log.first - 1 <= file && file <= log.last)) return;
    const now = JSON.stringify([log, file]);
    if (before !== null && now !== before) return;
    before = now;
    if (reading === readings) throw mixed(path);
    await clock.sleep(pauseMs);
  }
}

const mixed = (path: string) =>
  configError(
    'DATABASE_MIXED',
    `the database ${path} and its log ${logOf(path)} do not belong together: a backup, or another copy, has replaced the file that the log continues`,
    'Put back the file that was there. Or, to continue with what this one holds, move that log and its -shm away and keep them: the latest commits are only there, and this file knows nothing of them.',
  );

/** Reads the number in the file alone, as if there were no log. Null if it cannot be read: SQLite will report why. */
function numberInFile(path: string, Database: typeof DatabaseSync): number | null {
  // Through SQLite, which knows that closing a file of our own would give up every lock that this process has on it.
  const url = pathToFileURL(realOf(path));
  url.searchParams.set('immutable', '1');
  try {
    const database = new Database(url, { readOnly: true });
    try {
      return numberOf(database);
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}

interface Log {
  /** Distinguishes one log from the next, and shows how far it has been written. */
  readonly name: string;
  readonly commits: number;
  /** The numbers of the first and the last commit that has one. */
  readonly first: number;
  readonly last: number;
}

/** Null if there is no log, or no commit in it has a number (https://sqlite.org/walformat.html). */
function readLog(path: string): Log | null {
  let log: number;
  try {
    log = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    return commitsIn((at, length) => {
      const bytes = Buffer.alloc(length);
      return readSync(log, bytes, 0, length, at) === length ? bytes : null;
    });
  } catch {
    return null;
  } finally {
    closeSync(log);
  }
}

const header = { size: 32, magic: 0x377f0682, pageSize: 8, salts: 16 } as const;
const frame = { size: 24, committed: 4, salts: 8 } as const;
/** Offset of the `user_version` in the first page of a database. */
const numberAt = 60;

function commitsIn(read: (at: number, length: number) => Buffer | null): Log | null {
  const begin = read(0, header.size);
  // The last bit gives the byte order of the checksums.
  if (begin === null || (begin.readUInt32BE(0) & ~1) >>> 0 !== header.magic) return null;
  const pageSize = begin.readUInt32BE(header.pageSize);
  const salts = begin.subarray(header.salts, header.salts + 8);
  let [first, last, commits]: [number | null, number, number] = [null, 0, 0];
  let pending: number | null = null;
  for (let at: number = header.size; ; at += frame.size + pageSize) {
    const head = read(at, frame.size);
    // What lies beyond belongs to an earlier log.
    if (head === null || !head.subarray(frame.salts, frame.salts + 8).equals(salts)) break;
    if (head.readUInt32BE(0) === 1) pending = read(at + frame.size + numberAt, 4)?.readInt32BE(0) ?? null;
    if (head.readUInt32BE(frame.committed) === 0) continue;
    commits++;
    if (pending === null || pending === 0) continue;
    // Somebody has written another file into this one by SQLite's own means.
    if (pending < last) return null;
    first ??= pending;
    last = pending;
  }
  return first === null ? null : { name: begin.toString('hex'), commits, first, last };
}
