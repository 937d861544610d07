/**
 * Whether the tables of a SQLite ledger are still, word for word, as its migrations made them, with their unique
 * indexes and triggers. A file may come from a copy that left those out, or from somebody who made them forbid less, or
 * who added one: a trigger runs with every commit of ours, and one that turned ACCEPTED into NOT_SENT made a run say
 * that it had not paid what it had; what a unique index refuses is taken for the work of another sender, or for a
 * payment that belongs to another key. A plain index refuses nothing.
 */
import type { Database } from '../database/port.ts';
import { type SchemaEntry, schemaMadeBy } from '../database/sqlite/schema-made-by.ts';
import { configError } from '../errors.ts';
import { migrations } from './migrations.ts';

/** SQLite keeps each statement as it was written, also in a copy by its own tools. */
const found = `SELECT type, name, sql FROM sqlite_schema
  WHERE sql IS NOT NULL AND (type = 'trigger' OR tbl_name LIKE 'ledger%')`;

const inOneLine = ({ sql }: SchemaEntry): string => sql.replace(/\s+/g, ' ').trim();

/** Throws `configError` (78, `LEDGER_NOT_WHOLE`) unless its tables are what the migrations `made`. */
export async function assertSqliteTablesIntact(database: Database, made = migrations): Promise<void> {
  const things = await database.query<SchemaEntry>(found);
  const own = new Map(schemaMadeBy(made).map((one) => [inOneLine(one), one.name]));
  const foreign = things.find((one) => one.type === 'trigger' && !own.has(inOneLine(one)));
  if (foreign !== undefined)
    throw configError(
      'LEDGER_NOT_WHOLE',
      `the ledger in ${database.location} has a trigger that pixctl did not make (${foreign.name}) and that may change what is recorded; nothing was sent`,
      'Find out who made it and what it has changed (pixctl withdrawal audit, once it is removed), or restore the ledger from a backup.',
    );
  const kept = new Set(things.map(inOneLine));
  const other = [...own].flatMap(([sql, name]) =>
    /^CREATE (TABLE|UNIQUE INDEX|TRIGGER) /.test(sql) && !kept.has(sql) ? [name] : [],
  );
  if (other.length > 0)
    throw configError(
      'LEDGER_NOT_WHOLE',
      `the ledger in ${database.location} lacks what keeps a key from being sent twice or its record from being changed, or has it otherwise than pixctl made it (${other.join(', ')}); nothing was sent`,
      'Were its tables copied one by one, or changed? Copy the whole file, while no pixctl runs, or restore it from a backup; then run pixctl withdrawal audit.',
    );
  const rule = things.find((one) => /^CREATE UNIQUE INDEX /.test(one.sql) && !own.has(inOneLine(one)));
  if (rule !== undefined)
    throw configError(
      'LEDGER_NOT_WHOLE',
      `the ledger in ${database.location} has a unique index that pixctl did not make (${rule.name}), and what that refuses would be taken for the work of another run; nothing was sent`,
      'Remove the index, then run pixctl withdrawal audit.',
    );
}
