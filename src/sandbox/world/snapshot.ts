/**
 * The whole world as bytes, and back. A snapshot is itself a sandbox state: it can be started from.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getBuiltinModule } from 'node:process';
import { dataError, PixctlError } from '../../errors.ts';
import { forgetRecords } from '../store/forget-records.ts';
import { applicationId, schemaVersion } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import type { SavedClock } from './clock.ts';
import { clockKey } from './kept-clock.ts';
import type { World } from './world.ts';

/** Must not be called within a transaction. */
export function takeSnapshot({ store, clock }: World): Uint8Array {
  store.writeMeta(clockKey, JSON.stringify(clock.save()));
  return withTemporaryFile((file) => {
    store.execute(`VACUUM INTO '${file.replaceAll("'", "''")}'`);
    return readFileSync(file);
  });
}

/**
 * Puts the records of a snapshot in the place of the present ones. The clock never goes back: it moves to
 * the snapshot's time if that is later. Nothing may be under way. Throws `dataError` (65) for other bytes.
 */
export function restoreSnapshot(world: World, bytes: Uint8Array): void {
  const { store, clock } = world;
  withTemporaryFile((file) => {
    writeFileSync(file, bytes, { mode: 0o600 });
    attach(store, file);
    try {
      requireState(store);
      store.transaction(() => replaceRecords(store));
      world.ids.goOnAfter(latestId(store));
      const saved = store.get<{ value: string }>('SELECT value FROM snapshot.meta WHERE key = ?', clockKey);
      if (saved) clock.moveTo((JSON.parse(saved.value) as SavedClock).latest);
    } finally {
      store.execute('DETACH snapshot');
    }
  });
}

function attach(store: Store, file: string): void {
  try {
    store.execute(`ATTACH '${file.replaceAll("'", "''")}' AS snapshot`);
  } catch (error) {
    // Of a sandbox that is closed no snapshot is to blame.
    throw error instanceof PixctlError ? error : notASnapshot();
  }
}

function requireState(store: Store): void {
  let marks: unknown[];
  try {
    marks = ['application_id', 'user_version', 'quick_check(1)'].map(
      (name) => Object.values(store.get(`PRAGMA snapshot.${name}`) ?? {})[0],
    );
  } catch {
    throw notASnapshot();
  }
  if (marks.join() !== `${applicationId},${schemaVersion},ok`) throw notASnapshot();
}

function replaceRecords(store: Store): void {
  for (const name of forgetRecords(store)) {
    store.run(`INSERT INTO main.${name} SELECT * FROM snapshot.${name}`);
  }
}

/** The first nine characters of the latest, as `Ids` makes them. */
function latestId(store: Store): string {
  const tables = ['merchants', 'customers', 'charges', 'withdrawals', 'endpoints', 'events'];
  const ids = tables.map((name) => `SELECT id FROM ${name}`).join(' UNION ALL ');
  const sql = `SELECT max(substr(id, -24, 9)) AS latest
    FROM (${ids} UNION ALL SELECT envelope_id FROM deliveries) WHERE length(id) - instr(id, '_') = 24`;
  return store.get<{ latest: string | null }>(sql)?.latest ?? '';
}

/** In a folder that only this user can enter: a world holds keys and secrets, and SQLite writes for anybody to read. */
function withTemporaryFile<T>(use: (file: string) => T): T {
  const folder = mkdtempSync(join(getBuiltinModule('node:os').tmpdir(), 'pixctl-snapshot-'));
  try {
    return use(join(folder, 'snapshot.db'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const notASnapshot = () =>
  dataError(
    'NOT_A_SNAPSHOT',
    'this is not a snapshot that this pixctl can read; nothing was changed',
    'take one with pixctl sandbox snapshot',
  );
