/** Forgets what is settled, but never what is owed to an application. */
import { placeholders } from '../database/placeholders.ts';
import type { Database, Queries, Value } from '../database/port.ts';
import { eventKeyOf } from '../forward/targets.ts';
import type { Deduplicator } from './dedupe/deduplicator.ts';
import {
  furtherKeysOf,
  isEvent,
  mayHaveMore,
  mayHaveMoreTargets,
  stateOfRows,
  withTargets,
} from './further-targets.ts';
import type { ForwardState, PruneChoice } from './inbox.ts';
import { type EntryRow, entryColumns, entryOf } from './rows.ts';

/** Few enough that a listener running meanwhile waits only milliseconds. */
export const atOnce = 250;

/** Removes all of them, this many per transaction; returns how many there were. */
export async function prune(
  database: Database,
  deduplicator: Deduplicator,
  choice: PruneChoice,
): Promise<number> {
  let removed = 0;
  // Looked for outside any transaction: the last look reads everything that stays, and in SQLite nobody else could
  // write meanwhile.
  for await (const settled of findSettled(database, choice)) {
    if (settled.length === 0) continue;
    removed += await database.transaction(async (tx) => {
      await deduplicator.beforeRemoval(tx);
      return forget(tx, choice, settled);
    });
  }
  return removed;
}

/** The keys that an event's rows may have: one, or one for each application. */
type Rows = readonly string[];

/** The oldest first, in portions. */
async function* findSettled(
  database: Queries,
  choice: PruneChoice,
  { only }: { readonly only?: string } = {},
): AsyncGenerator<readonly Rows[]> {
  const { state, before } = choice;
  const narrowed = only === undefined ? '' : ` AND ${only}`;
  let after = '';
  for (;;) {
    const found = await database.query<EntryRow>(
      `SELECT ${entryColumns} FROM inbox_event WHERE key > $1 AND (state = $2 OR ${mayHaveMore}) AND received_at < $3 AND ${isEvent}${narrowed} ORDER BY key LIMIT $4`,
      [after, state, before, atOnce],
    );
    const rows = found.map(entryOf);
    const events = await withTargets(database, rows);
    yield rows
      .filter((_, at) => events[at]?.state === state)
      .map((row) => (mayHaveMoreTargets(row) ? [row.key, ...furtherKeysOf(row.key)] : [row.key]));
    if (found.length < atOnce) return;
    after = found.at(-1)?.key ?? after;
  }
}

/** Removes those of these events that are still settled, with their attempts; returns how many. */
async function forget(tx: Queries, { state }: PruneChoice, events: readonly Rows[]): Promise<number> {
  const keys = events.flat();
  // An update that changes nothing, so that nobody makes them owed again before they are gone.
  const held = await tx.query<{ key: string; state: ForwardState; target: string | null }>(
    `UPDATE inbox_event SET state = state WHERE key IN (${placeholders(keys.length)}) RETURNING key, state, target`,
    keys,
  );
  const rowsOf = Map.groupBy(held, ({ key }) => eventKeyOf(key));
  const settled = [...rowsOf.values()].filter((rows) => stateOfRows(rows) === state);
  if (settled.length === 0) return 0;
  const theirs: Value[] = settled.flat().map(({ key }) => key);
  await tx.query(`DELETE FROM inbox_attempt WHERE key IN (${placeholders(theirs.length)})`, theirs);
  await tx.query(`DELETE FROM inbox_event WHERE key IN (${placeholders(theirs.length)})`, theirs);
  return settled.length;
}

export async function countPrunable(database: Queries, choice: PruneChoice): Promise<number> {
  const [row] = await database.query<{ events: number | string | bigint }>(
    `SELECT COUNT(*) AS events FROM inbox_event WHERE state = $1 AND received_at < $2 AND NOT ${mayHaveMore}`,
    [choice.state, choice.before],
  );
  let events = Number(row?.events ?? 0);
  for await (const settled of findSettled(database, choice, { only: mayHaveMore })) events += settled.length;
  return events;
}
