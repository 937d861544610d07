/**
 * Whether the ledger's tables are still as its migrations made them: here those on PostgreSQL. A tool that copies rows
 * from server to server may leave out the unique indexes, which alone keep two senders apart. An unlogged table is
 * empty after a crash, so that its keys look new. A subscriber of logical replication is like a standby that accepts
 * writes: what was sent through its publisher arrives later, and what is sent through it never gets there. Row-level
 * security shows each user only some rows, and a hidden key looks new. In each case the id is right, and nothing
 * fails.
 */
import { showRowsOf } from '../database/hidden-rows.ts';
import type { Database } from '../database/port.ts';
import { configError } from '../errors.ts';
import { assertSqliteTablesIntact } from './sqlite-integrity.ts';

const tables = ['ledger_identity', 'ledger_intents', 'ledger_events', 'ledger_seen'];

/** The unique indexes, with their columns in order. */
const rules: Readonly<Record<string, string>> = {
  ledger_identity_pkey: 'one',
  ledger_intents_pkey: 'id',
  ledger_one_key: 'scope,idempotency_key',
  ledger_one_claim: 'scope,kind,resource_id',
  ledger_one_fence: 'scope,kind,fence',
  ledger_one_open: 'scope',
  ledger_events_pkey: 'id',
  ledger_one_version: 'intent_id,version',
  ledger_seen_pkey: 'scope,withdrawal_id',
};

const own = `(${tables.map((name) => `to_regclass('${name}')`).join(', ')})`;

const found = `SELECT name, kept, columns, pg_catalog.row_security_active(oid) AS hidden,
  EXISTS (SELECT FROM pg_catalog.pg_subscription_rel WHERE srrelid IN ${own}) AS subscribed FROM (
  SELECT oid, relname::text AS name, relpersistence = 'p' AS kept, '' AS columns FROM pg_catalog.pg_class
  UNION ALL
  SELECT i.indrelid, c.relname::text, i.indisunique AND i.indisvalid AND c.relpersistence = 'p'
      AND (i.indpred IS NULL) = (c.relname <> 'ledger_one_open'),
    (SELECT string_agg(a.attname::text, ',' ORDER BY a.attnum) FROM pg_catalog.pg_attribute a
      WHERE a.attrelid = i.indexrelid)
  FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid) AS things
  WHERE oid IN ${own}`;

interface Found {
  readonly name: string;
  /** For a table: it survives a crash. For an index: it also refuses a second row. */
  readonly kept: boolean;
  readonly columns: string;
  readonly subscribed: boolean;
  /** Whether row-level security applies to this user, who then may not see every row of the table. */
  readonly hidden: boolean;
}

/** Throws `configError` (78, `LEDGER_NOT_WHOLE` or `LEDGER_REPLICA`). */
export async function assertTablesIntact(database: Database): Promise<void> {
  if (database.dialect === 'sqlite') return assertSqliteTablesIntact(database);
  const things = await database.query<Found>(found);
  if (things.some(({ subscribed }) => subscribed))
    throw configError(
      'LEDGER_REPLICA',
      `the ledger in ${database.location} is a copy that logical replication keeps (a subscription), and may lack what was sent through the original; nothing was sent`,
      'Use the server that is replicated. To switch to this one: make sure no pixctl runs, wait until everything has arrived, then DROP SUBSCRIPTION.',
    );
  const hidden = tables.find((table) => things.some((thing) => thing.name === table && thing.hidden));
  if (hidden !== undefined)
    throw configError(
      'LEDGER_NOT_WHOLE',
      `rows of the table ${hidden} in ${database.location} may be hidden from this user by row-level security, and what was paid would not be seen; nothing was sent`,
      showRowsOf(hidden),
    );
  const unlogged = tables.find((table) => things.some(({ name, kept }) => name === table && !kept));
  if (unlogged !== undefined)
    throw configError(
      'LEDGER_NOT_WHOLE',
      `the table ${unlogged} in ${database.location} is emptied by a crash of the server (UNLOGGED); nothing was sent`,
      `ALTER TABLE ${unlogged} SET LOGGED; then compare with the list of the service what it still holds: pixctl withdrawal audit.`,
    );
  const holds = (rule: string, columns: string) =>
    things.some((thing) => thing.name === rule && thing.kept && thing.columns === columns);
  const missing = Object.entries(rules).flatMap(([rule, columns]) => (holds(rule, columns) ? [] : [rule]));
  if (missing.length > 0)
    throw configError(
      'LEDGER_NOT_WHOLE',
      `the tables of the ledger in ${database.location} lack what keeps a key from being sent twice (the unique ${missing.length === 1 ? 'index' : 'indexes'} ${missing.join(', ')}); nothing was sent`,
      'Were they copied without their indexes? Move them with pg_dump and psql or pg_restore, whose errors matter; then run pixctl withdrawal audit.',
    );
}
