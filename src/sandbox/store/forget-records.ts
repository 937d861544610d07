/** Empties a world: the records go, while what is stored beside them (`meta`: the clock, the state's secrets) stays. */
import type { Store } from './store.ts';

/**
 * Deletes all records. Call it within a transaction. Row numbers go on from the present ones, so that none stands for
 * two things in one run. Returns the names of the tables, starting with those that others refer to.
 */
export function forgetRecords(store: Store): string[] {
  store.execute('PRAGMA defer_foreign_keys = ON');
  const tables = store
    .all<{ name: string }>(
      `SELECT name FROM main.sqlite_schema
       WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'meta' ORDER BY rowid`,
    )
    .map(({ name }) => name);
  // For each deleted row, SQLite searches for rows that refer to it. Without this index it would walk through all
  // deliveries each time, and the sandbox would stand still for minutes.
  store.execute('CREATE INDEX main.replays ON deliveries (replay_of)');
  for (const name of tables.toReversed()) store.run(`DELETE FROM main.${name}`);
  store.execute('DROP INDEX main.replays');
  return tables;
}
