/** Opens a database by its URL: SQLite for a path, PostgreSQL for `postgres://`. */
import type { Clock } from '../clock.ts';
import type { Database, Migration } from './port.ts';

export interface OpenOptions {
  /** Which room's tables: rooms may share one PostgreSQL, each with migrations of its own. */
  readonly room: string;
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  /** Refuse a database that does not exist yet instead of making it. */
  readonly mustExist?: boolean;
}

/**
 * `postgres://` or `postgresql://` opens PostgreSQL, anything else is the path of a SQLite file (`sqlite:`
 * and `file:` prefixes are taken off), made with mode 0600 in a directory of mode 0700. Durability settings
 * are read back and asserted, and the room's migrations applied, before it resolves.
 * Throws `PixctlError`: `storage` (74) or `config` (78).
 */
export declare function openDatabase(url: string, options: OpenOptions): Promise<Database>;
