/**
 * Whether an attached database is a world that can take the place of the present one. All of it is asked before
 * anything is changed: a record that nobody can read would end the sandbox at its next turn, or be met by every call.
 */
import { dataError, PixctlError } from '../../errors.ts';
import { oddTable } from '../store/odd-records.ts';
import { applicationId, schemaVersion } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { sqliteCode } from '../store/unusable.ts';
import { clockKey, readClock } from './kept-clock.ts';

/**
 * The time of the snapshot attached as `snapshot`, where it names one. Throws `dataError` (65) for what is no snapshot
 * of this version, or has records in it that this program could not have written.
 * @param size of its file, bytes
 */
export function requireSnapshot(store: Store, size: number): number | null {
  requireMarks(store, size);
  try {
    if (oddTable(store, 'snapshot') !== null || hasOtherTables(store)) throw notASnapshot();
    return latestOf(store);
  } catch (error) {
    throw asNotASnapshot(error);
  }
}

/** What SQLite says of another's file is told of that file; whatever else it is, is not its fault. */
export const asNotASnapshot = (error: unknown): unknown =>
  sqliteCode(error) === null ? error : notASnapshot(error);

function requireMarks(store: Store, size: number): void {
  const mark = (name: string) => Object.values(store.get(`PRAGMA snapshot.${name}`) ?? {})[0];
  let version: unknown;
  try {
    if (mark('application_id') !== applicationId) throw notASnapshot();
    version = mark('user_version');
    // SQLite reads what is missing at the end of a last page as nothing.
    if (Number(mark('page_count')) * Number(mark('page_size')) > size) throw notASnapshot();
    // Not `quick_check`: indexes are taken over as they are, and one that does not fit its table would stop the jobs.
    if (mark('integrity_check(1)') !== 'ok') throw notASnapshot();
  } catch (error) {
    throw asNotASnapshot(error);
  }
  if (version === schemaVersion) return;
  throw dataError(
    'SNAPSHOT_VERSION',
    `this is a snapshot of version ${version}; this pixctl reads version ${schemaVersion}; nothing was changed`,
    Number(version) > schemaVersion ? 'use a newer pixctl' : 'take another; older ones are not converted',
  );
}

/** All of what is taken over is found by its name in the present one. */
const hasOtherTables = (store: Store): boolean =>
  store.get(
    `SELECT name FROM snapshot.sqlite_schema WHERE type = 'table'
     EXCEPT SELECT name FROM main.sqlite_schema WHERE type = 'table'`,
  ) !== undefined;

function latestOf(store: Store): number | null {
  const saved = store.get<{ value: string }>('SELECT value FROM snapshot.meta WHERE key = ?', clockKey);
  if (saved === undefined) return null;
  const clock = readClock(saved.value);
  if (clock === null) throw notASnapshot();
  return clock.latest;
}

/** For bytes that are no snapshot, or not one that can be taken over. */
export const notASnapshot = (cause?: unknown) =>
  new PixctlError(
    'data',
    'NOT_A_SNAPSHOT',
    'this is not a snapshot that this pixctl can read; nothing was changed',
    {
      hint: 'take one with pixctl sandbox snapshot',
      cause,
    },
  );
