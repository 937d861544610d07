/**
 * Where the sandbox's world lies: one SQLite database, synchronous, with cached prepared statements. Without a file, it
 * is a private temporary database, whose pages leave memory when there are many. With one, it is durable (WAL, mode
 * 0600) and held exclusively: two sandboxes never share a state. A commit outlives the process at once, and a power
 * failure never breaks the file, though it may lose the last moments: synchronous is NORMAL, because waiting for the
 * disk makes each commit a moment in which a kill can fall.
 */
import { closeSync, openSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { loadSqlite } from '../../database/sqlite/module.ts';
import { findCorruptTable, recordReaderOf, tablesCheckedOnOpen } from './corrupt-records.ts';
import { applicationId, schema, schemaVersion } from './schema.ts';
import {
  foreignTriggerError,
  inMemoryError,
  mismatchedWalError,
  notAStateError,
  otherVersionError,
  replacedStateError,
  translateOpenError,
} from './state-errors.ts';
import { CorruptStateError } from './store-failures.ts';
import { createTransactions, type Transactions } from './transactions.ts';
import { findWal, matchesItsWal, removeWalIndex, usesNoWal, walOf } from './wal-file.ts';
import { createWalFlusher } from './wal-flush.ts';

export type Value = string | number | bigint | null | Uint8Array;

export interface Store extends Pick<Transactions, 'transaction' | 'shareTransaction' | 'afterCommit'> {
  /** Where it lies; null for a temporary one, which nobody else has ever written. */
  readonly file: string | null;
  /** Returns the first row, or undefined. */
  get<T extends object>(sql: string, ...parameters: Value[]): T | undefined;
  all<T extends object>(sql: string, ...parameters: Value[]): T[];
  /** Runs one statement. Returns the last rowid. */
  run(sql: string, ...parameters: Value[]): { rowid: number };
  /** Like `run`, for a statement that adds rows and changes none: what was read before stays true. */
  append(sql: string, ...parameters: Value[]): { rowid: number };
  /** Changes as soon as anything read earlier may have changed. */
  readonly version: number;
  /** How many rows were appended. */
  readonly appendedRows: number;
  /** Runs several statements at once, without parameters. */
  execute(sql: string): void;
  /** Reads a value stored beside the tables: the clock, secrets of this state. */
  readMeta(key: string): string | null;
  writeMeta(key: string, value: string): void;
  close(): void;
}

/**
 * Opens or creates a state. Throws `configError` (78) for a file that is not a sandbox state, is newer, or is in use.
 */
export function openStore(name: string | null = null): Store {
  // An absolute path, because SQLite reads special meanings into others, and the working directory may change.
  const file = name === null ? null : resolve(name);
  if (name === ':memory:') throw inMemoryError();
  const database = file === null ? openTemporary() : openFile(file);
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = database.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  let version = 0;
  let appendedRows = 0;
  const onRollback = () => {
    version += 1;
  };
  const transactions = createTransactions(
    database,
    onRollback,
    file === null ? undefined : createWalFlusher(walOf(file)),
  );
  const { beforeStatement } = transactions;

  const store: Store = {
    file,
    get: <T extends object>(sql: string, ...parameters: Value[]) => {
      beforeStatement();
      return prepare(sql).get(...parameters) as T | undefined;
    },
    all: <T extends object>(sql: string, ...parameters: Value[]) => {
      beforeStatement();
      return prepare(sql).all(...parameters) as T[];
    },
    run(sql, ...parameters) {
      beforeStatement(true);
      version += 1;
      return { rowid: Number(prepare(sql).run(...parameters).lastInsertRowid) };
    },
    append(sql, ...parameters) {
      beforeStatement(true);
      appendedRows += 1;
      return { rowid: Number(prepare(sql).run(...parameters).lastInsertRowid) };
    },
    get version() {
      return version;
    },
    get appendedRows() {
      return appendedRows;
    },
    execute(sql) {
      beforeStatement(true);
      version += 1;
      database.exec(sql);
    },
    transaction: transactions.transaction,
    shareTransaction: transactions.shareTransaction,
    afterCommit: transactions.afterCommit,
    readMeta: (key) =>
      store.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', key)?.value ?? null,
    writeMeta(key, value) {
      store.run(
        'INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
        key,
        value,
      );
    },
    close() {
      transactions.close();
      statements.clear();
      database.close();
    },
  };
  return store;
}

function openTemporary(): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync('');
  // Large pages, because a commit to a temporary database costs more with each changed page.
  database.exec(
    'PRAGMA page_size = 8192; PRAGMA cache_size = -4000; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF',
  );
  return createTables(database);
}

function openFile(file: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  let database: DatabaseSync | undefined;
  const log = findWal(file);
  try {
    // Only if there is none: closing a file gives up every lock that this process has on it (fcntl(2)), and it may be
    // the state of another sandbox in this process.
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isFile() === false) throw notAStateError(file);
    if (found === undefined) closeSync(openSync(file, 'a', 0o600));
    else if (log !== null && usesNoWal(file)) throw replacedStateError(file, log);
    else if (log !== null && !matchesItsWal(file)) throw mismatchedWalError(file, log);
    database = new DatabaseSync(file);
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
    if (log !== null) removeWalIndex(log);
    const empty = isEmpty(database);
    if (!empty) check(file, database);
    // The log grows to 16 MB before it is copied, so that a page that many commits change is copied once.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000');
    return empty ? createTables(database) : database;
  } catch (error) {
    database?.close();
    throw translateOpenError(file, error);
  }
}

function createTables(database: DatabaseSync): DatabaseSync {
  database.exec(
    `BEGIN; ${schema}; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}; COMMIT`,
  );
  return database;
}

const pragma = (database: DatabaseSync, name: string): number =>
  Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);

/** Whether it is empty. Its size does not tell: a start that was killed, or had no room, may leave a blank page. */
const isEmpty = (database: DatabaseSync): boolean =>
  pragma(database, 'application_id') === 0 &&
  pragma(database, 'user_version') === 0 &&
  database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;

function check(file: string, database: DatabaseSync): void {
  if (pragma(database, 'application_id') !== applicationId) throw notAStateError(file);
  const version = pragma(database, 'user_version');
  if (version !== schemaVersion) throw otherVersionError(file, version);
  const trigger = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").get();
  if (trigger !== undefined) throw foreignTriggerError(file, String(trigger.name));
  const table = findCorruptTable(recordReaderOf(database), 'main', tablesCheckedOnOpen);
  if (table !== null) throw new CorruptStateError(`its table ${table}`);
}
