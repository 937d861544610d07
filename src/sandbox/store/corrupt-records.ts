/**
 * Checks whether an open database holds what this program writes, and nothing that it could not read. A state edited by
 * hand, or a disk that returns other bytes, would otherwise trip every call, or end the sandbox at its next turn.
 */
import type { DatabaseSync } from 'node:sqlite';
import { loadSqlite } from '../../database/sqlite/module.ts';
import { schema } from './schema.ts';

/** The part of a `Store` that is needed. */
interface RecordReader {
  get<T extends object>(sql: string): T | undefined;
  all<T extends object>(sql: string): T[];
}

export const recordReaderOf = (database: DatabaseSync): RecordReader => ({
  get: <T extends object>(sql: string) => database.prepare(sql).get() as T | undefined,
  all: <T extends object>(sql: string) => database.prepare(sql).all() as T[],
});

type SchemaName = 'main' | 'snapshot';

/** The last moment that an ISO time with a four-digit year can name. */
export const latestTime = Date.UTC(10_000, 0) - 1;

/** Columns that hold JSON, and what it has to be; null if it may be anything. */
const jsonColumns = [
  ['events', 'data', 'object'],
  ['endpoints', 'events', 'array'],
  ['attempts', 'request', 'object'],
  ['attempts', 'outcome', 'object'],
  ['attempts', 'response', 'object'],
  ['jobs', 'payload', null],
] as const;

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** 1 for the key of its table, which is the row number if it is a number. */
  readonly pk: number;
}

/** What a sandbox reads of its own accord: few records, however many charges there are. */
export const tablesCheckedOnOpen: readonly string[] = ['merchants', 'api_keys', 'endpoints', 'jobs'];

/**
 * Returns the first table that is not as this program creates it or, among those in `among`, the first with a record
 * that it could not have written; null if there is none. Tables with other names are ignored.
 */
export function findCorruptTable(
  reader: RecordReader,
  database: SchemaName,
  among?: readonly string[],
): string | null {
  expectedColumns ??= Map.groupBy(readExpectedColumns(), ({ table }) => table);
  const theirs = Map.groupBy(columnsOf(reader, database), ({ table }) => table);
  for (const [table, columns] of expectedColumns) {
    if (JSON.stringify(columns) !== JSON.stringify(theirs.get(table))) return table;
    if (among?.includes(table) === false) continue;
    if (findCorruptRow(reader, database, table, columns) !== null) return table;
    if (reader.get(`PRAGMA ${database}.foreign_key_check(${table})`)) return table;
  }
  return null;
}

/** Describes the first record that this program could not have written; null if there is none. Reads all records. */
export function findCorruptRecord(reader: RecordReader): string | null {
  for (const [table, columns] of Map.groupBy(columnsOf(reader, 'main'), (it) => it.table)) {
    const name =
      expectedColumns?.has(table) === false ? null : findCorruptRow(reader, 'main', table, columns);
    if (name !== null) return `the record ${name} of its table ${table}`;
  }
  return null;
}

/** Returns the name of the first row with a column that is not of its form; null if there is none. */
function findCorruptRow(
  reader: RecordReader,
  database: SchemaName,
  table: string,
  columns: readonly Column[],
): string | null {
  // An API key is named by its merchant, because the key itself is a secret.
  const name = table === 'api_keys' ? 'merchant_id' : 'id';
  const named = columns.find(({ column }) => column === name) ?? columns[0];
  const select = `SELECT CAST(${named?.column} AS TEXT) AS name`;
  const odd = columns.map((it) => `ifnull(NOT (${validColumnSql(it)}), 0)`).join(' OR ');
  const row = reader.get<{ name: string | null }>(`${select} FROM ${database}.${table} WHERE ${odd}`);
  if (row !== undefined) return String(row.name);
  const texts = jsonColumns.filter(([name]) => name === table);
  for (const it of texts) {
    const name = findCorruptJson(reader, database, select, it);
    if (name !== null) return name;
  }
  return null;
}

let expectedColumns: ReadonlyMap<string, readonly Column[]> | undefined;

const columnsOf = (reader: RecordReader, database: SchemaName): Column[] =>
  reader.all<Column>(
    `SELECT t.name AS "table", c.name AS "column", c.type, c.pk FROM ${database}.sqlite_schema t, pragma_table_xinfo(t.name, '${database}') c
     WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid`,
  );

function readExpectedColumns(): Column[] {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(':memory:');
  try {
    database.exec(schema);
    return columnsOf(recordReaderOf(database), 'main');
  } finally {
    database.close();
  }
}

/**
 * Returns the SQL test of a column's form. SQLite accepts text in a number column, and numbers too large for
 * JavaScript.
 */
function validColumnSql({ column, type, pk }: Column): string {
  if (type === 'TEXT') return `typeof(${column}) IN ('text', 'null')`;
  const [least, most] = /(^|_)at$/.test(column) ? [0, latestTime] : [-mostOf(pk), mostOf(pk)];
  return `typeof(${column}) IN ('integer', 'null') AND ${column} BETWEEN ${least} AND ${most}`;
}

/** The largest row number: rows go on from the highest that there ever was, and must still be numbers then. */
const mostOf = (pk: number): number => (pk === 0 ? Number.MAX_SAFE_INTEGER : 2 ** 50);

/**
 * Finds odd JSON. SQLite is faster but refuses what is nested more than 1000 deep, so what it refuses is parsed here.
 */
function findCorruptJson(
  reader: RecordReader,
  database: SchemaName,
  select: string,
  [table, column, kind]: (typeof jsonColumns)[number],
): string | null {
  const fits = kind === null ? '1' : `json_type(${column}) = '${kind}'`;
  const refused = reader.all<{ name: string | null; text: string }>(
    `${select}, ${column} AS text FROM ${database}.${table}
     WHERE ${column} IS NOT NULL AND NOT CASE json_valid(${column}) WHEN 1 THEN ${fits} ELSE 0 END`,
  );
  const odd = refused.find(({ text }) => {
    const value = tryParseJson(text);
    const found = Array.isArray(value) ? 'array' : typeof value;
    return value === undefined || value === null || (kind !== null && found !== kind);
  });
  return odd === undefined ? null : String(odd.name);
}

/** Parses JSON. Undefined for what is no JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
