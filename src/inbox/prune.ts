/** Forgetting what is settled: never what is owed to an application. */
import type { Database, Queries } from '../database/port.ts';
import type { PruneChoice } from './inbox.ts';

export interface PruneStep {
  /** The last key that the step before removed; empty at first. What stays is not looked through again. */
  readonly after: string;
  readonly limit: number;
}

/** So that a listener that runs meanwhile waits for milliseconds only. */
const atOnce = 250;

/** Removes all of them, a transaction for so many at a time; answers how many they were. */
export async function prune(database: Database, choice: PruneChoice): Promise<number> {
  let removed = 0;
  let after = '';
  for (;;) {
    const step = { after, limit: atOnce };
    const keys = await database.transaction((tx) => pruneSome(tx, choice, step));
    removed += keys.length;
    if (keys.length < atOnce) return removed;
    after = keys.at(-1) ?? after;
  }
}

/** Removes up to `limit` of them with their attempts, oldest first; answers their keys in that order. */
export async function pruneSome(
  tx: Queries,
  { state, before }: PruneChoice,
  { after, limit }: PruneStep,
): Promise<string[]> {
  // Written without a change, so that nobody makes them owed again before they are gone.
  const held = await tx.query<{ key: string }>(
    `UPDATE inbox_event SET state = state WHERE key IN (
       SELECT key FROM inbox_event WHERE key > $4 AND state = $1 AND received_at < $2 ORDER BY key LIMIT $3
     ) AND state = $1 RETURNING key`,
    [state, before, limit, after],
  );
  if (held.length === 0) return [];
  const keys = held.map(({ key }) => key).sort();
  const list = keys.map((_, index) => `$${index + 1}`).join(', ');
  await tx.query(`DELETE FROM inbox_attempt WHERE key IN (${list})`, keys);
  await tx.query(`DELETE FROM inbox_event WHERE key IN (${list})`, keys);
  return keys;
}

export async function countPrunable(database: Queries, { state, before }: PruneChoice): Promise<number> {
  const [row] = await database.query<{ events: number | string | bigint }>(
    'SELECT COUNT(*) AS events FROM inbox_event WHERE state = $1 AND received_at < $2',
    [state, before],
  );
  return Number(row?.events ?? 0);
}
