/** The embedded driver: `node:sqlite`, WAL, every commit on the disk before it counts. */
import { platform } from 'node:os';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Clock } from '../../clock.ts';
import { configError, storageError } from '../../errors.ts';
import { type Driver, type DriverQueries, durableAtOnce } from '../driver.ts';
import { migrationsTable } from '../migrate.ts';
import type { Value } from '../port.ts';
import { isBusy, type Remedy, remedyOf, translate } from './errors.ts';
import { narrowFile, prepareFile } from './file.ts';
import { flushBehind } from './flusher.ts';
import { loadSqlite } from './module.ts';
import { assertLogMatchesFile, incrementCommitNumber } from './own-log.ts';
import { presenceOf } from './presence.ts';

export { fileExists as sqliteFileExists } from './file.ts';

/** How long SQLite itself waits (blocking this process), and how long we wait in total. Milliseconds. */
const patience = { blocking: 250, total: 20_000, pause: 15 } as const;

/**
 * Opens the file, and makes it if there is none. Waits up to 20 s while others hold it. Throws `storage` (74) or
 * `config` (78). `room` decides what the errors advise; `flush`: see `OpenOptions`.
 */
export async function openSqlite(
  path: string,
  clock: Clock,
  { flush = 'commit', room = 'ledger' }: { flush?: 'commit' | 'shared'; room?: string } = {},
): Promise<Driver> {
  prepareFile(path);
  const { DatabaseSync } = loadSqlite();
  const remedy = remedyOf(room);
  const patiently = waiting(clock, path, remedy);
  // If commits are many and small, the log is not numbered.
  const numbered = flush === 'commit';
  if (numbered) await assertLogMatchesFile(path, DatabaseSync, clock);
  const database = await patiently(() => new DatabaseSync(path, { timeout: patience.blocking }));
  try {
    await patiently(() => assertOwnDatabase(database, path));
    narrowFile(path);
    await patiently(() => assertDurable(database, path));
    const single = driver(database, path, { patiently, remedy, numbered });
    if (flush === 'commit') return single;
    // A ledger loads neither this nor Node's worker threads.
    const { withSharedFlush } = await import('./shared-flush.ts');
    return await withSharedFlush(single, database, path, patiently);
  } catch (cause) {
    database.close();
    throw cause;
  }
}

/** Runs work one at a time, in the order of asking. */
function turns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => {});
    return mine;
  };
}

/** Retries `work` while the database is busy, without blocking the event loop. */
const waiting =
  (clock: Clock, location: string, remedy: Remedy) =>
  async <T>(work: () => T): Promise<T> => {
    const deadline = clock.monotonic() + patience.total;
    for (;;) {
      try {
        return work();
      } catch (cause) {
        if (!isBusy(cause) || clock.monotonic() >= deadline) throw translate(cause, location, remedy);
        await clock.sleep(patience.pause);
      }
    }
  };

/** Puts nothing beside the tables of another program: its file would get narrower permissions and another journal. */
function assertOwnDatabase(database: DatabaseSync, location: string): void {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const names = tables.map(({ name }) => String(name));
  if (names.length === 0 || names.includes(migrationsTable)) return;
  const some = names.length > 3 ? `${names.slice(0, 3).join(', ')}, ...` : names.join(', ');
  throw configError(
    'DATABASE_FOREIGN',
    `${location} is the database of another program (its tables: ${some}); it was not changed`,
    "Name a file that is pixctl's alone, or one that does not exist yet.",
  );
}

/** Sets what durability rests on, and trusts only what reads back. */
function assertDurable(database: DatabaseSync, location: string): void {
  const expected: Record<string, string | number> = {
    journal_mode: 'wal',
    synchronous: 2,
    foreign_keys: 1,
    ...(platform() === 'darwin' ? { fullfsync: 1, checkpoint_fullfsync: 1 } : {}),
  };
  for (const [name, value] of Object.entries(expected)) {
    if (read(database, name) !== value) database.exec(`PRAGMA ${name} = ${value}`);
    const found = read(database, name);
    if (found !== value)
      throw configError(
        'NOT_DURABLE',
        `the database ${location} does not accept ${name}=${value} (it answers ${String(found)})`,
        'Set PIXCTL_STATE_DIR to a local disk.',
      );
  }
}

const read = (database: DatabaseSync, pragma: string): unknown =>
  Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0];

/**
 * Writes `$1` as SQLite does. Leaves the numbers out if each occurs once and in order: `node:sqlite` asks for the name
 * of each parameter on each run, and SQLite finds one by going through all of them.
 */
function withQuestionMarks(sql: string): string {
  let count = 0;
  const inOrder = [...sql.matchAll(/\$(\d+)/g)].every(([, number]) => Number(number) === ++count);
  return sql.replace(/\$(\d+)/g, inOrder ? '?' : '?$1');
}

interface Opened {
  readonly patiently: ReturnType<typeof waiting>;
  readonly remedy: Remedy;
  readonly numbered: boolean;
}

function driver(database: DatabaseSync, location: string, { patiently, remedy, numbered }: Opened): Driver {
  const statements = new Map<string, StatementSync>();
  const inTurn = turns();
  const presence = presenceOf(location, remedy.gone);
  let behind: Promise<unknown> = Promise.resolve();

  const prepared = (sql: string): StatementSync => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = database.prepare(withQuestionMarks(sql));
      statements.set(sql, statement);
    }
    return statement;
  };
  const rowsOf = <T extends object>(sql: string, parameters: readonly Value[] = []) =>
    prepared(sql).all(...parameters) as T[];
  const changesOf = (sql: string, parameters: readonly Value[] = []) =>
    Number(prepared(sql).run(...parameters).changes);
  const translated = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw translate(cause, location, remedy);
    }
  };

  const tx: DriverQueries = {
    query: async <T extends object>(sql: string, parameters?: readonly Value[]) =>
      translated(() => rowsOf<T>(sql, parameters)),
    execute: async (sql, parameters) => translated(() => changesOf(sql, parameters)),
    executeEach: async (sql, rows) => translated(() => rows.map((row) => changesOf(sql, row))),
    script: async (sql) => translated(() => database.exec(sql)),
  };

  const transaction: Driver['transaction'] = (work) =>
    inTurn(async () => {
      await patiently(() => prepared('BEGIN IMMEDIATE').run());
      try {
        if (numbered) translated(() => incrementCommitNumber(database));
        const result = await work(tx);
        await patiently(() => prepared('COMMIT').run());
        presence.assert();
        return result;
      } catch (cause) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw cause;
      }
    });

  return {
    dialect: 'sqlite',
    location,
    query: <T extends object>(sql: string, parameters?: readonly Value[]) =>
      inTurn(() => patiently(() => rowsOf<T>(sql, parameters))),
    execute: (sql, parameters) => inTurn(() => patiently(() => changesOf(sql, parameters))),
    transaction,
    write: durableAtOnce(transaction),
    transactionSync(work) {
      if (database.isTransaction) throw storageError(`the database ${location} is in another transaction`);
      try {
        // Written now, and flushed while the caller goes on: the disk may still fail before the next full commit
        // flushes.
        database.exec('PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE');
        if (numbered) incrementCommitNumber(database);
        const result = work({ query: rowsOf });
        database.exec('COMMIT');
        presence.assert();
        behind = Promise.all([behind, flushBehind(location)]);
        return result;
      } catch (cause) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw translate(cause, location, remedy);
      } finally {
        database.exec('PRAGMA synchronous = FULL');
      }
    },
    hasTable: async (name) =>
      (await tx.query(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1`, [name])).length > 0,
    close: () =>
      inTurn(async () => {
        await behind;
        statements.clear();
        presence.close();
        if (database.isOpen) database.close();
      }),
  };
}
