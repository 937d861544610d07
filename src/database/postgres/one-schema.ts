/**
 * Prevents a second set of tables beside somebody else's. Which schema a name leads to depends on the user's
 * `search_path`, which by default begins with a schema named after the user: two hosts, each with its own user and
 * schema, had one address and two ledgers, and each paid the other's keys.
 */
import { configError } from '../../errors.ts';
import type { Driver } from '../driver.ts';

/**
 * Call it when `table` is not found. Throws `configError` (78, `DATABASE_SCHEMA`) before anything is made. A table that
 * can be found by now was made meanwhile by another first run, and is the one to use.
 */
export async function assertNoOtherSchema(driver: Driver, table: string, url: string): Promise<void> {
  // An address that names the schema means that one.
  if (/[?&]options=[^&#]*search_path/i.test(url)) return;
  const [other] = await driver.query<{ schema: string; name: string; path: string }>(
    `SELECT n.nspname::text AS schema, current_user::text AS name, current_setting('search_path') AS path
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relname = $1 AND c.relpersistence <> 't' AND pg_catalog.to_regclass($1) IS NULL ORDER BY n.nspname LIMIT 1`,
    [table],
  );
  if (other === undefined) return;
  throw configError(
    'DATABASE_SCHEMA',
    `${driver.location} has tables of pixctl in the schema ${other.schema}, where ${other.name} does not look (search_path: ${other.path}); none were created`,
    `To share them: GRANT USAGE on that schema, and ALTER ROLE ${other.name} SET search_path = ${other.schema}. Only for others beside them, which know nothing of what these hold: add ?options=-c%20search_path%3D<schema> to PIXCTL_LEDGER_URL.`,
  );
}
