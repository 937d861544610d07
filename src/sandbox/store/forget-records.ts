/** An empty world: the records go, what is kept beside them (`meta`: the clock, the secrets of this state) stays. */
import type { Store } from './store.ts';

/**
 * To be called within a transaction. Row numbers go on from the present ones, so that none stands for two things in
 * one run. Returns the names of the tables.
 */
export function forgetRecords(store: Store): string[] {
  store.execute('PRAGMA defer_foreign_keys = ON');
  const tables = store
    .all<{ name: string }>(
      `SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'meta'`,
    )
    .map(({ name }) => name);
  for (const name of tables) store.run(`DELETE FROM main.${name}`);
  return tables;
}
