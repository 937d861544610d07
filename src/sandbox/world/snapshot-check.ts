/**
 * Whether an attached database is a world that can take the place of the present one. All of it is asked before
 * anything is changed: a record that nobody can read would end the sandbox at its next turn, or be met by every call.
 */
import { dataError, PixctlError } from '../../errors.ts';
import { applicationId, schemaVersion } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import type { SavedClock } from './clock.ts';
import { clockKey } from './kept-clock.ts';

/** The last moment that an ISO time with a year of four digits can name. */
const latestTime = Date.UTC(10_000, 0) - 1;

/** Columns that hold JSON, and what it has to be; null where anything may be. */
const jsonColumns = [
  ['events', 'data', 'object'],
  ['endpoints', 'events', 'array'],
  ['attempts', 'request', 'object'],
  ['attempts', 'outcome', 'object'],
  ['attempts', 'response', 'object'],
  ['jobs', 'payload', null],
] as const;

/**
 * The time of the snapshot attached as `snapshot`, where it names one. Throws `dataError` (65) for what is no snapshot
 * of this version, or has records in it that this program could not have written.
 * @param size of its file, bytes
 */
export function requireSnapshot(store: Store, size: number): number | null {
  requireMarks(store, size);
  try {
    requireSameTables(store);
    requireTypes(store);
    for (const [table, column, kind] of jsonColumns) requireJson(store, table, column, kind);
    if (store.get('PRAGMA snapshot.foreign_key_check')) throw notASnapshot();
    return latestOf(store);
  } catch (error) {
    throw asNotASnapshot(error);
  }
}

/** What SQLite says of another's file is told of that file; whatever else it is, is not its fault. */
export const asNotASnapshot = (error: unknown): unknown =>
  typeof (error as { errcode?: unknown } | null)?.errcode === 'number' ? notASnapshot(error) : error;

function requireMarks(store: Store, size: number): void {
  const mark = (name: string) => Object.values(store.get(`PRAGMA snapshot.${name}`) ?? {})[0];
  let version: unknown;
  try {
    if (mark('application_id') !== applicationId) throw notASnapshot();
    version = mark('user_version');
    // SQLite reads what is missing at the end of a last page as nothing.
    if (Number(mark('page_count')) * Number(mark('page_size')) > size) throw notASnapshot();
    // Not the quick one: an index goes over as it lies there, and one that does not fit its table would stop the jobs.
    if (mark('integrity_check(1)') !== 'ok') throw notASnapshot();
  } catch (error) {
    throw asNotASnapshot(error);
  }
  if (version === schemaVersion) return;
  throw dataError(
    'SNAPSHOT_VERSION',
    `this is a snapshot of version ${version}; this pixctl reads version ${schemaVersion}; nothing was changed`,
    Number(version) > schemaVersion ? 'use a newer pixctl' : 'take another; older ones are not converted',
  );
}

interface Column {
  readonly name: string;
  readonly column: string;
  readonly type: string;
  /** 1 for the key of its table, which is the number of the row where it is a number. */
  readonly pk: number;
}

const columnsOf = (store: Store, database: 'main' | 'snapshot'): Column[] =>
  store.all<Column>(
    `SELECT t.name, c.name AS "column", c.type, c.pk FROM ${database}.sqlite_schema t, pragma_table_xinfo(t.name, '${database}') c
     WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid`,
  );

function requireSameTables(store: Store): void {
  const [ours, theirs] = (['main', 'snapshot'] as const).map((it) => JSON.stringify(columnsOf(store, it)));
  if (ours !== theirs) throw notASnapshot();
}

/** SQLite keeps a text in a column of numbers, and a number that is none to JavaScript. */
function requireTypes(store: Store): void {
  const tables = Map.groupBy(columnsOf(store, 'main'), ({ name }) => name);
  for (const [name, columns] of tables) {
    const odd = columns.map((it) => `ifnull(NOT (${form(it)}), 0)`).join(' OR ');
    if (store.get(`SELECT 1 FROM snapshot.${name} WHERE ${odd}`)) throw notASnapshot();
  }
}

function form({ column, type, pk }: Column): string {
  if (type === 'TEXT') return `typeof(${column}) IN ('text', 'null')`;
  const [least, most] = /(^|_)at$/.test(column) ? [0, latestTime] : [-mostOf(pk), mostOf(pk)];
  return `typeof(${column}) IN ('integer', 'null') AND ${column} BETWEEN ${least} AND ${most}`;
}

/** The numbers of rows go on from the highest that there ever was, and are to be numbers then too. */
const mostOf = (pk: number): number => (pk === 0 ? Number.MAX_SAFE_INTEGER : 2 ** 50);

/** SQLite is quicker, but reads nothing that is nested more deeply than 1000 times: what it refuses is parsed. */
function requireJson(store: Store, table: string, column: string, kind: 'object' | 'array' | null): void {
  const fits = kind === null ? '1' : `json_type(${column}) = '${kind}'`;
  const refused = store.all<{ text: string }>(
    `SELECT ${column} AS text FROM snapshot.${table}
     WHERE ${column} IS NOT NULL AND NOT CASE json_valid(${column}) WHEN 1 THEN ${fits} ELSE 0 END`,
  );
  for (const { text } of refused) {
    const value = parsed(text);
    const found = Array.isArray(value) ? 'array' : typeof value;
    if (value === null || (kind !== null && found !== kind)) throw notASnapshot();
  }
}

function latestOf(store: Store): number | null {
  const saved = store.get<{ value: string }>('SELECT value FROM snapshot.meta WHERE key = ?', clockKey);
  if (saved === undefined) return null;
  const latest = (parsed(saved.value) as Partial<SavedClock> | null)?.latest;
  if (typeof latest !== 'number' || !(latest >= 0 && latest <= latestTime)) throw notASnapshot();
  return latest;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notASnapshot();
  }
}

/** For bytes that are no snapshot, or not one that can be taken over. */
export const notASnapshot = (cause?: unknown) =>
  new PixctlError(
    'data',
    'NOT_A_SNAPSHOT',
    'this is not a snapshot that this pixctl can read; nothing was changed',
    {
      hint: 'take one with pixctl sandbox snapshot',
      cause,
    },
  );
