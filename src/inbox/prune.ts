/** Forgets what is settled, but never what is owed to an application. */
import { placeholders } from '../database/placeholders.ts';
import type { Database, Queries, Value } from '../database/port.ts';
import { eventKeyOf } from '../forward/targets.ts';
import type { Deduplicator } from './dedupe/deduplicator.ts';
import { isEvent, mayHaveMore, stateOfRows } from './further-targets.ts';
import type { ForwardState, PruneChoice } from './inbox.ts';
import { keyRanges, portionsOf } from './key-ranges.ts';

/** Few enough that a listener running meanwhile waits only milliseconds. */
export const atOnce = 250;

/** Removes all of them, this many per transaction; returns how many there were. Stops once `signal` aborts. */
export async function prune(
  database: Database,
  deduplicator: Deduplicator,
  choice: PruneChoice,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  // Looked for outside any transaction: in SQLite nobody else could write meanwhile.
  for await (const settled of findSettled(database, choice, signal)) {
    for (const some of portionsOf(settled, atOnce)) {
      if (signal?.aborted) return removed;
      removed += await database.transaction(async (tx) => {
        await deduplicator.beforeRemoval(tx);
        return forget(tx, choice, some);
      });
    }
  }
  return removed;
}

/** The keys of an event's rows: one, or one for each application. */
type Rows = readonly string[];

interface StateRow {
  readonly key: string;
  readonly state: ForwardState;
  readonly target: string | null;
}

/** The oldest first, in portions. */
async function* findSettled(
  database: Queries,
  { state, before }: PruneChoice,
  signal?: AbortSignal,
): AsyncGenerator<readonly Rows[]> {
  for await (const { after, upTo } of keyRanges(database, signal)) {
    const rows = await database.query<StateRow>(
      `SELECT key, state, target FROM inbox_event WHERE key > $1 AND key <= $2 AND received_at < $3 AND (${mayHaveMore} OR (state = $4 AND ${isEvent})) ORDER BY key`,
      [after, upTo, before, state],
    );
    yield settledOf(rows, state).map((those) => those.map(({ key }) => key));
  }
}

/** The rows of each event that is in this state. */
const settledOf = (rows: readonly StateRow[], state: ForwardState): readonly (readonly StateRow[])[] =>
  [...Map.groupBy(rows, ({ key }) => eventKeyOf(key)).values()].filter(
    (those) => stateOfRows(those) === state,
  );

/** Removes those of these events that are still settled, with their attempts; returns how many. */
async function forget(tx: Queries, { state }: PruneChoice, events: readonly Rows[]): Promise<number> {
  const keys = events.flat();
  // An update that changes nothing, so that nobody makes them owed again before they are gone.
  const held = await tx.query<StateRow>(
    `UPDATE inbox_event SET state = state WHERE key IN (${placeholders(keys.length)}) RETURNING key, state, target`,
    keys,
  );
  const settled = settledOf(held, state);
  if (settled.length === 0) return 0;
  const theirs: Value[] = settled.flat().map(({ key }) => key);
  await tx.query(`DELETE FROM inbox_attempt WHERE key IN (${placeholders(theirs.length)})`, theirs);
  await tx.query(`DELETE FROM inbox_event WHERE key IN (${placeholders(theirs.length)})`, theirs);
  return settled.length;
}

export async function countPrunable(
  database: Queries,
  choice: PruneChoice,
  signal?: AbortSignal,
): Promise<number> {
  let events = 0;
  for await (const settled of findSettled(database, choice, signal)) events += settled.length;
  return events;
}
