/**
 * Checks whether an attached database is a world that can replace the present one. All of it is checked before anything
 * changes: an unreadable record would end the sandbox at its next turn, or trip every call.
 */
import { dataError, PixctlError } from '../../errors.ts';
import { findCorruptTable } from '../store/corrupt-records.ts';
import { applicationId, schemaVersion } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { sqliteCode } from '../store/store-failures.ts';
import { clockKey, parseSavedClock } from './stored-clock.ts';

/**
 * Returns the time of the snapshot attached as `snapshot`, if it names one. Throws `dataError` (65) for what is no
 * snapshot of this version, or holds records that this program could not have written.
 * @param size of its file, bytes
 */
export function requireSnapshot(store: Store, size: number): number | null {
  requireMarks(store, size);
  try {
    if (findCorruptTable(store, 'snapshot') !== null || hasOtherTables(store)) throw notASnapshotError();
    return readSnapshotTime(store);
  } catch (error) {
    throw toSnapshotError(error);
  }
}

/** Blames the file for what SQLite says about it. Any other error is not the file's fault, and returned as it is. */
export const toSnapshotError = (error: unknown): unknown =>
  sqliteCode(error) === null ? error : notASnapshotError(error);

function requireMarks(store: Store, size: number): void {
  const mark = (name: string) => Object.values(store.get(`PRAGMA snapshot.${name}`) ?? {})[0];
  let version: unknown;
  try {
    if (mark('application_id') !== applicationId) throw notASnapshotError();
    version = mark('user_version');
    // SQLite reads whatever is missing at the end of the last page as zeros.
    if (Number(mark('page_count')) * Number(mark('page_size')) > size) throw notASnapshotError();
    // Not `quick_check`: indexes are taken over unchanged, and one that does not fit its table would stop the jobs.
    if (mark('integrity_check(1)') !== 'ok') throw notASnapshotError();
  } catch (error) {
    throw toSnapshotError(error);
  }
  if (version === schemaVersion) return;
  throw dataError(
    'SNAPSHOT_VERSION',
    `this is a snapshot of version ${version}; this pixctl reads version ${schemaVersion}; nothing was changed`,
    Number(version) > schemaVersion ? 'use a newer pixctl' : 'take another; older ones are not converted',
  );
}

/** Whether a table is missing here: what is taken over is found by its name in the present world. */
const hasOtherTables = (store: Store): boolean =>
  store.get(
    `SELECT name FROM snapshot.sqlite_schema WHERE type = 'table'
     EXCEPT SELECT name FROM main.sqlite_schema WHERE type = 'table'`,
  ) !== undefined;

function readSnapshotTime(store: Store): number | null {
  const saved = store.get<{ value: string }>('SELECT value FROM snapshot.meta WHERE key = ?', clockKey);
  if (saved === undefined) return null;
  const clock = parseSavedClock(saved.value);
  if (clock === null) throw notASnapshotError();
  return clock.latest;
}

/** The error for bytes that are no snapshot, or one that cannot be taken over. */
export const notASnapshotError = (cause?: unknown) =>
  new PixctlError(
    'data',
    'NOT_A_SNAPSHOT',
    'this is not a snapshot that this pixctl can read; nothing was changed',
    {
      hint: 'take one with pixctl sandbox snapshot',
      cause,
    },
  );
