/** Turns the whole world into bytes, and back. A snapshot is itself a sandbox state that can be started from. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getBuiltinModule } from 'node:process';
import { dataError, PixctlError, storageError } from '../../errors.ts';
import { forgetRecords } from '../store/forget-records.ts';
import type { Store } from '../store/store.ts';
import { sqliteCode } from '../store/store-failures.ts';
import { hasSeededKey, noteSeededKey } from './seeded-keys.ts';
import { notASnapshotError, requireSnapshot, toSnapshotError } from './snapshot-check.ts';
import { clockKey } from './stored-clock.ts';
import type { World } from './world.ts';

/** Takes a snapshot. Not within a transaction. Throws `storageError` (74) if the temporary directory has no room. */
export function takeSnapshot({ store, clock }: World): Uint8Array {
  store.writeMeta(clockKey, JSON.stringify(clock.save()));
  return withTemporaryFile((file, written) => {
    written(() => store.execute(`VACUUM INTO '${file.replaceAll("'", "''")}'`));
    return readFileSync(file);
  });
}

/**
 * Replaces the present records with those of a snapshot. The clock never goes back: it moves to the snapshot's time if
 * that is later. Nothing may be under way. Throws `dataError` (65) for other bytes and for keys that strangers could
 * work out, and `storageError` (74) if there is no room; nothing has changed then.
 */
export function restoreSnapshot(world: World, bytes: Uint8Array): void {
  const { store, clock } = world;
  withTemporaryFile((file, written) => {
    written(() => writeFileSync(file, bytes, { mode: 0o600 }));
    attach(store, file);
    try {
      const latest = requireSnapshot(store, bytes.byteLength);
      const isSeeded = hasSeededKey(store, 'snapshot');
      if (isSeeded && world.keyIds !== world.ids) throw guessableKeysError();
      replaceRecords(store, isSeeded);
      world.ids.goOnAfter(latestId(store));
      if (latest !== null) clock.moveTo(latest);
    } finally {
      store.execute('DETACH snapshot');
    }
  });
}

function attach(store: Store, file: string): void {
  try {
    store.execute(`ATTACH '${file.replaceAll("'", "''")}' AS snapshot`);
  } catch (error) {
    // If the sandbox is closed, the snapshot is not to blame.
    throw error instanceof PixctlError ? error : notASnapshotError(error);
  }
}

const guessableKeysError = () =>
  dataError(
    'GUESSABLE_KEYS',
    'this snapshot has API keys that follow from a seed, and other machines can reach this sandbox; nothing was changed',
    'restore it in a sandbox without --host',
  );

function replaceRecords(store: Store, isSeeded: boolean): void {
  try {
    store.transaction(() => {
      if (isSeeded) noteSeededKey(store);
      for (const name of forgetRecords(store)) {
        store.run(`INSERT INTO main.${name} SELECT * FROM snapshot.${name}`);
      }
    });
  } catch (error) {
    // Two rows where only one may be: only a snapshot can cause this.
    if (sqliteCode(error) === constraint) throw toSnapshotError(error);
    if (sqliteCode(error) !== full) throw error;
    throw storageError('there is no room for the records of this snapshot; nothing was changed', {
      hint: 'make room where the sandbox keeps its state',
      cause: error,
    });
  }
}

/** Returns the first nine characters of the latest id, as `Ids` makes them. */
function latestId(store: Store): string {
  const tables = ['merchants', 'customers', 'charges', 'withdrawals', 'endpoints', 'events'];
  const ids = tables.map((name) => `SELECT id FROM ${name}`).join(' UNION ALL ');
  const sql = `SELECT max(substr(id, -24, 9)) AS latest
    FROM (${ids} UNION ALL SELECT envelope_id FROM deliveries) WHERE length(id) - instr(id, '_') = 24`;
  return store.get<{ latest: string | null }>(sql)?.latest ?? '';
}

/**
 * Runs `use` with a file in a folder that only this user can enter: a world holds keys and secrets, and SQLite writes
 * files that anybody can read.
 * @param use gets the file, and a function to write it within, which words what fails
 */
function withTemporaryFile<T>(use: (file: string, written: (write: () => void) => void) => T): T {
  const directory = getBuiltinModule('node:os').tmpdir();
  const inWords = <R>(write: () => R): R => {
    try {
      return write();
    } catch (error) {
      throw explainWriteFailure(directory, error);
    }
  };
  const folder = inWords(() => mkdtempSync(join(directory, 'pixctl-snapshot-')));
  try {
    return use(join(folder, 'snapshot.db'), inWords);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The variable that names the temporary directory. */
const variable = () => (getBuiltinModule('node:os').platform() === 'win32' ? 'TEMP' : 'TMPDIR');

/** SQLite's codes for a full disk, for one that cannot be written or opened, and for rows that must not exist. */
const full = 13;
const unwritable = [10, 14];
const constraint = 19;

function explainWriteFailure(directory: string, error: unknown): unknown {
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  const sqlite = sqliteCode(error);
  if (sqlite === full || code === 'ENOSPC' || code === 'EDQUOT') {
    return storageError(
      `the temporary directory ${directory} has no room for the snapshot; nothing was changed`,
      {
        hint: `make room there, or start the sandbox again with ${variable()} naming a directory that has some`,
        cause: error,
      },
    );
  }
  if (syscall === undefined && !unwritable.includes(sqlite ?? 0)) return error;
  return storageError(
    `the temporary directory ${directory} cannot be written, and the snapshot has to be there for a moment (${code === 'ERR_SQLITE_ERROR' ? message : code}); nothing was changed`,
    { hint: `start the sandbox again with ${variable()} naming a directory that can be`, cause: error },
  );
}
