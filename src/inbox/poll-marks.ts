/** What `--poll` saw last: one status per resource, so that only changes become events. */
import type { Queries } from '../database/port.ts';
import type { PollMark } from './inbox.ts';

export async function readMarks(database: Queries, scope: string): Promise<Map<string, PollMark>> {
  const rows = await database.query<{ id: string; status: string; created_at: string | null }>(
    'SELECT id, status, created_at FROM inbox_poll WHERE scope = $1',
    [scope],
  );
  return new Map(rows.map((row) => [row.id, { status: row.status, createdAt: row.created_at }]));
}

export async function writeMarks(
  tx: Queries,
  scope: string,
  marks: ReadonlyMap<string, PollMark>,
  forgotten: readonly string[],
): Promise<void> {
  for (const id of forgotten) {
    await tx.query('DELETE FROM inbox_poll WHERE scope = $1 AND id = $2', [scope, id]);
  }
  for (const [id, mark] of marks) {
    await tx.query(
      'INSERT INTO inbox_poll (scope, id, status, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT (scope, id) DO UPDATE SET status = excluded.status, created_at = excluded.created_at',
      [scope, id, mark.status, mark.createdAt],
    );
  }
}
