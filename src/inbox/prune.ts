/** Forgetting what is settled: never what is owed to an application. */
import type { Queries } from '../database/port.ts';
import type { PruneChoice } from './inbox.ts';

/** Removes up to `limit` of them with their attempts, oldest first; answers how many. */
export async function pruneSome(tx: Queries, { state, before }: PruneChoice, limit: number): Promise<number> {
  // Written without a change, so that nobody makes them owed again before they are gone.
  const held = await tx.query<{ key: string }>(
    `UPDATE inbox_event SET state = state WHERE key IN (
       SELECT key FROM inbox_event WHERE state = $1 AND received_at < $2 ORDER BY key LIMIT $3
     ) AND state = $1 RETURNING key`,
    [state, before, limit],
  );
  if (held.length === 0) return 0;
  const keys = held.map(({ key }) => key);
  const list = keys.map((_, index) => `$${index + 1}`).join(', ');
  await tx.query(`DELETE FROM inbox_attempt WHERE key IN (${list})`, keys);
  await tx.query(`DELETE FROM inbox_event WHERE key IN (${list})`, keys);
  return keys.length;
}

export async function countPrunable(database: Queries, { state, before }: PruneChoice): Promise<number> {
  const [row] = await database.query<{ events: number | string | bigint }>(
    'SELECT COUNT(*) AS events FROM inbox_event WHERE state = $1 AND received_at < $2',
    [state, before],
  );
  return Number(row?.events ?? 0);
}
