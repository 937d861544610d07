/** What SQLite keeps of the tables, unique indexes and triggers that migrations make. */
import { scriptOf } from '../migrate.ts';
import type { Migration } from '../port.ts';
import { loadSqlite } from './module.ts';

export interface SchemaEntry {
  readonly type: 'table' | 'index' | 'trigger' | 'view';
  readonly name: string;
  /** The statement that makes it, with what later statements have changed of it. */
  readonly sql: string;
}

/** What has been found out; a run may open its database several times. */
const known = new WeakMap<readonly Migration[], readonly SchemaEntry[]>();

/**
 * Makes them in memory to find out, once for each list of migrations: only SQLite knows what an `ALTER TABLE` leaves of
 * the words of a `CREATE TABLE`.
 */
export function schemaMadeBy(migrations: readonly Migration[]): readonly SchemaEntry[] {
  const made = known.get(migrations) ?? make(migrations);
  known.set(migrations, made);
  return made;
}

function make(migrations: readonly Migration[]): readonly SchemaEntry[] {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(':memory:');
  try {
    for (const migration of migrations) database.exec(scriptOf(migration, 'sqlite'));
    const kept = database.prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL');
    return kept.all() as unknown as SchemaEntry[];
  } finally {
    database.close();
  }
}
