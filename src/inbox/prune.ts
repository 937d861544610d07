/** Forgets what is settled, but never what is owed to an application. */
import type { Database, Queries, Value } from '../database/port.ts';
import type { Deduplicator } from './dedupe/deduplicator.ts';
import type { PruneChoice } from './inbox.ts';

/** Few enough that a listener running meanwhile waits only milliseconds. */
const atOnce = 250;

/** Removes all of them, this many per transaction; returns how many there were. */
export async function prune(
  database: Database,
  deduplicator: Deduplicator,
  choice: PruneChoice,
): Promise<number> {
  let removed = 0;
  let after = '';
  for (;;) {
    // Outside any transaction: the last look reads everything that stays, and in SQLite nobody else could write
    // meanwhile.
    const keys = await findSettled(database, choice, after);
    if (keys.length > 0) {
      removed += await database.transaction(async (tx) => {
        await deduplicator.beforeRemoval(tx);
        return forget(tx, choice, keys);
      });
    }
    if (keys.length < atOnce) return removed;
    after = keys.at(-1) ?? after;
  }
}

/** The oldest of their keys. `after`: where to go on, so that nothing is looked through twice. */
async function findSettled(
  database: Queries,
  { state, before }: PruneChoice,
  after: string,
): Promise<string[]> {
  const rows = await database.query<{ key: string }>(
    'SELECT key FROM inbox_event WHERE key > $1 AND state = $2 AND received_at < $3 ORDER BY key LIMIT $4',
    [after, state, before, atOnce],
  );
  return rows.map(({ key }) => key);
}

/** Removes those of these keys that are still settled, with their attempts; returns how many. */
async function forget(tx: Queries, { state }: PruneChoice, keys: readonly string[]): Promise<number> {
  const values: Value[] = [...keys];
  // An update that changes nothing, so that nobody makes them owed again before they are gone.
  const held = await tx.query<{ key: string }>(
    `UPDATE inbox_event SET state = state WHERE key IN (${list(keys)}) AND state = $${values.push(state)} RETURNING key`,
    values,
  );
  if (held.length === 0) return 0;
  const theirs = held.map(({ key }) => key);
  await tx.query(`DELETE FROM inbox_attempt WHERE key IN (${list(theirs)})`, theirs);
  await tx.query(`DELETE FROM inbox_event WHERE key IN (${list(theirs)})`, theirs);
  return theirs.length;
}

const list = (keys: readonly string[]): string => keys.map((_, index) => `$${index + 1}`).join(', ');

export async function countPrunable(database: Queries, { state, before }: PruneChoice): Promise<number> {
  const [row] = await database.query<{ events: number | string | bigint }>(
    'SELECT COUNT(*) AS events FROM inbox_event WHERE state = $1 AND received_at < $2',
    [state, before],
  );
  return Number(row?.events ?? 0);
}
