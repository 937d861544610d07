/** Reads the inbox: lists in portions, and single events whole. */
import { placeholders } from '../database/placeholders.ts';
import type { Database, Queries, Value } from '../database/port.ts';
import { eventKeyOf } from '../forward/targets.ts';
import type { Condition, Deduplicator } from './dedupe/deduplicator.ts';
import { eventKeyInSql, isEvent, mayHaveMore, withTargets } from './further-targets.ts';
import type { Attempt, InboxEntry, InboxEvent, InboxFilter, Waiting } from './inbox.ts';
import {
  type AttemptRow,
  attemptOf,
  type EntryRow,
  type EventRow,
  entryColumns,
  entryOf,
  eventColumns,
  eventOf,
} from './rows.ts';

const portion = 200;

/** Newest first. */
export async function* listEntries(
  database: Database,
  deduplicator: Deduplicator,
  filter: InboxFilter,
): AsyncGenerator<InboxEntry, void, undefined> {
  const called = filter.id === undefined ? null : await deduplicator.matchIdOrKey(database, filter.id);
  let left = filter.last ?? Number.POSITIVE_INFINITY;
  let before: string | null = filter.before ?? null;
  while (left > 0) {
    const { where, values } = conditions(filter, called, before, database.dialect);
    const limit = Math.min(portion, left);
    const rows: EntryRow[] = await database.query<EntryRow>(
      `SELECT ${entryColumns} FROM inbox_event${where} ORDER BY key DESC LIMIT $${values.length + 1}`,
      [...values, limit],
    );
    for (const entry of await withTargets(database, rows.map(entryOf))) {
      if (filter.state !== undefined && entry.state !== filter.state) continue;
      yield entry;
      left -= 1;
    }
    before = rows.at(-1)?.key ?? null;
    if (rows.length < limit) return;
  }
}

function conditions(
  filter: InboxFilter,
  called: Condition | null,
  before: string | null,
  dialect: Database['dialect'],
): { where: string; values: Value[] } {
  const values: Value[] = [...(called?.values ?? [])];
  const parts: string[] = [...(called === null ? [] : [called.text(1)]), isEvent];
  const add = (text: (parameter: string) => string, value: Value | undefined | null) => {
    if (value === undefined || value === null) return;
    values.push(value);
    parts.push(text(`$${values.length}`));
  };
  add((p) => `event = ${p}`, filter.event);
  // The state of an event for several applications follows from all its rows.
  add((p) => `(state = ${p} OR ${mayHaveMore})`, filter.state);
  add((p) => holds[dialect](p), filter.contains);
  add((p) => `received_at >= ${p}`, filter.since);
  add((p) => `received_at <= ${p}`, filter.until);
  add((p) => `key < ${p}`, before);
  return { where: ` WHERE ${parts.join(' AND ')}`, values };
}

/** Compares bytes, because a body need not be text. */
const holds = {
  sqlite: (p: string) => `instr(body, CAST(${p} AS BLOB)) > 0`,
  postgres: (p: string) => `position(convert_to(${p}, 'UTF8') in body) > 0`,
} as const;

export async function findEvents(
  database: Queries,
  deduplicator: Deduplicator,
  idOrKey: string,
): Promise<InboxEvent[]> {
  const { text, values } = await deduplicator.matchIdOrKey(database, idOrKey);
  const rows = await database.query<EventRow>(
    `SELECT ${eventColumns} FROM inbox_event WHERE ${text(1)} ORDER BY key DESC`,
    values,
  );
  const found = rows.filter(({ key }) => eventKeyOf(key) === key || key === idOrKey).map(eventOf);
  return [...(await withTargets(database, found))];
}

export async function attemptsOf(database: Queries, key: string): Promise<Attempt[]> {
  const rows = await database.query<AttemptRow>(
    'SELECT * FROM inbox_attempt WHERE key = $1 ORDER BY number',
    [key],
  );
  return rows.map(attemptOf);
}

/** Reads what waits, by its index: two seconds for a million that wait, nothing for what is settled. */
export async function countWaiting(database: Queries): Promise<Waiting[]> {
  type Count = number | string | bigint;
  const rows = await database.query<{ source: string; target: string | null; events: Count; since: Count }>(
    "SELECT source, target, COUNT(*) AS events, MIN(received_at) AS since FROM inbox_event WHERE state = 'WAITING' GROUP BY source, target ORDER BY source, target",
  );
  return rows.map(({ events, since, ...of }) => ({ ...of, events: Number(events), since: Number(since) }));
}

/** Spelled out where there are none to leave out, because PostgreSQL rejects `IN ()`. */
export async function countWaitingEvents(
  database: Queries,
  exceptSources: readonly string[],
): Promise<number> {
  const others =
    exceptSources.length === 0 ? '' : ` AND source NOT IN (${placeholders(exceptSources.length)})`;
  const [row] = await database.query<{ events: number | string | bigint }>(
    `SELECT COUNT(DISTINCT ${eventKeyInSql}) AS events FROM inbox_event WHERE state = 'WAITING'${others}`,
    exceptSources,
  );
  return Number(row?.events ?? 0);
}
