/**
 * Whether the tables of a SQLite ledger are still as its migrations made them. A file may come from a copy that left
 * out the unique indexes, or from somebody who put a trigger into it: that runs with every commit of ours, and one
 * that turned ACCEPTED into NOT_SENT made a run say that it had not paid what it had.
 */
import type { Database } from '../database/port.ts';
import { configError } from '../errors.ts';
import { migrations } from './migrations.ts';

/** The columns of each unique index, in order. */
const rules = [
  'ledger_intents (id)',
  'ledger_intents (scope,idempotency_key)',
  'ledger_intents (scope,kind,resource_id)',
  'ledger_intents (scope,kind,fence)',
  'ledger_intents (scope)',
  'ledger_events (id)',
  'ledger_events (intent_id,version)',
  'ledger_seen (scope,withdrawal_id)',
];

const found = `SELECT 'trigger' AS what, name, sql AS text FROM sqlite_schema WHERE type = 'trigger'
  UNION ALL
  SELECT 'index', i.name, t.name || ' (' || (SELECT group_concat(name, ',') FROM pragma_index_info(i.name)) || ')'
  FROM sqlite_schema t, pragma_index_list(t.name) i
  WHERE t.type = 'table' AND t.name LIKE 'ledger%' AND i."unique"`;

interface Found {
  readonly what: 'trigger' | 'index';
  readonly name: string;
  readonly text: string;
}

/** Throws `configError` (78, `LEDGER_NOT_WHOLE`). */
export async function assertSqliteTablesIntact(database: Database): Promise<void> {
  const things = await database.query<Found>(found);
  const foreign = things.find(({ what, text }) => what === 'trigger' && !ours.includes(inOneLine(text)));
  if (foreign !== undefined)
    throw configError(
      'LEDGER_NOT_WHOLE',
      `the ledger in ${database.location} has a trigger that pixctl did not make (${foreign.name}) and that may change what is recorded; nothing was sent`,
      'Find out who made it and what it has changed (pixctl withdrawal audit, once it is removed), or restore the ledger from a backup.',
    );
  const missing = rules.filter((rule) => !things.some(({ what, text }) => what === 'index' && text === rule));
  if (missing.length > 0)
    throw configError(
      'LEDGER_NOT_WHOLE',
      `the tables of the ledger in ${database.location} lack what keeps a key from being sent twice (a unique index of ${missing.join(', ')}); nothing was sent`,
      'Were they copied without their indexes? Copy the whole file, while no pixctl runs, or restore it from a backup; then run pixctl withdrawal audit.',
    );
}

const inOneLine = (sql: string): string => sql.replace(/\s+/g, ' ').trim();

/** What makes our own triggers, which SQLite keeps as it was written. */
const ours = inOneLine(migrations.map(({ only }) => only?.sqlite ?? '').join(' '));
