/**
 * PostgreSQL's row-level security shows each user only some rows of a table, and nothing fails: the others seem absent.
 */
import type { Database } from './port.ts';

/** The first of these tables in which policies may hide rows from this user; undefined if there is none. */
export async function tableWithHiddenRows(
  database: Database,
  tables: readonly string[],
): Promise<string | undefined> {
  if (database.dialect === 'sqlite') return undefined;
  const own = tables.map((name) => `to_regclass('${name}')`).join(', ');
  const found = await database.query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_catalog.pg_class
     WHERE oid IN (${own}) AND pg_catalog.row_security_active(oid)`,
  );
  return tables.find((table) => found.some(({ name }) => name === table));
}

/** What to do about such a table. */
export const showRowsOf = (table: string): string =>
  `ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY, or give the user BYPASSRLS. To keep merchants from each other, give each a database or a schema.`;
