/** Opens a database by its URL: SQLite for a path, PostgreSQL for `postgres://`. */
import type { Clock } from '../clock.ts';
import { configError } from '../errors.ts';
import { isPostgres, sqlitePathOf } from './address.ts';
import type { Driver } from './driver.ts';
import { isMigrated, migrate, migrationsTable } from './migrate.ts';
import type { Database, Migration } from './port.ts';

export interface OpenOptions {
  /** Which room's tables: several rooms may share one PostgreSQL, each with its own migrations. */
  readonly room: string;
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  /** Refuse a database that does not exist yet, instead of making it (78, `DATABASE_MISSING`). */
  readonly mustExist?: boolean;
  /**
   * SQLite: `commit` puts each commit on the disk before it returns; `shared` flushes commits together, off the main
   * thread (see `Database.write`), for many small writes. PostgreSQL does the latter by itself.
   */
  readonly flush?: 'commit' | 'shared';
  /** May refuse what is there. Called before anything is changed, and with what is still empty as well. */
  readonly check?: (database: Database) => Promise<void>;
  /** PostgreSQL: breaks every connection when it aborts, whatever they are doing. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens PostgreSQL for `postgres://` or `postgresql://`; anything else is the path of a SQLite file (without a
 * `sqlite:` or `file:` prefix), made with mode 0600 in a directory of mode 0700. Before it resolves, durability
 * settings have been read back and asserted, and the room's migrations applied.
 * Throws `PixctlError`: `storage` (74) or `config` (78).
 */
export async function openDatabase(url: string, options: OpenOptions): Promise<Database> {
  const driver = await openDriver(url, options);
  try {
    if (options.mustExist && !(await isMigrated(driver, options.room)))
      throw missing(options.room, driver.location);
    await options.check?.(driver);
    const beforeMaking = async () => {
      if (driver.dialect !== 'postgres') return;
      const { assertNoOtherSchema } = await import('./postgres/one-schema.ts');
      await assertNoOtherSchema(driver, migrationsTable, url);
    };
    await migrate(driver, options.room, options.migrations, options.clock.now(), beforeMaking);
    return driver;
  } catch (cause) {
    await driver.close();
    throw cause;
  }
}

async function openDriver(
  url: string,
  { clock, mustExist = false, flush = 'commit', room, signal }: OpenOptions,
): Promise<Driver> {
  if (isPostgres(url)) {
    const { openPostgres } = await import('./postgres/open.ts');
    return openPostgres(url, signal);
  }
  const { openSqlite, sqliteFileExists } = await import('./sqlite/open.ts');
  const path = sqlitePathOf(url);
  if (mustExist && !sqliteFileExists(path)) throw missing(room, path);
  return openSqlite(path, clock, { flush, room });
}

const missing = (room: string, location: string) =>
  configError('DATABASE_MISSING', `the ${room} that was used before was not found: ${location}`);
