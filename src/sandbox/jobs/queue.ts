/** The job table: what is due and when. Writers belong into the transaction of what makes the job due. */
import type { Store } from '../store.ts';
import type { Job } from '../world.ts';

export interface JobQueue {
  /** Removes what is waiting under a lane's name or a kind and payload. */
  remove(job: Job): void;
  postpone(job: Job, dueAt: number): void;
  /** The first job by due time whose lane is not among the `full` ones; `lanes: false` leaves all lanes out. */
  next(full: readonly string[], lanes: boolean): Job | null;
  nextDueAt(): number | null;
}

interface Row {
  id: number;
  kind: string;
  dueAt: number;
  payload: string;
  lane: string | null;
}

export function jobQueue(store: Store): JobQueue {
  const select = 'SELECT id, kind, due_at AS dueAt, payload, lane FROM jobs';
  const first = 'ORDER BY due_at, id LIMIT 1';
  const nextRow = (full: readonly string[], lanes: boolean): Row | undefined => {
    if (!lanes) return store.get<Row>(`${select} WHERE lane IS NULL ${first}`);
    if (full.length === 0) return store.get<Row>(`${select} ${first}`);
    return store.get<Row>(
      `${select} WHERE lane IS NULL OR lane NOT IN (SELECT value FROM json_each(?)) ${first}`,
      JSON.stringify(full),
    );
  };
  return {
    remove: (job) => {
      store.run('DELETE FROM jobs WHERE id = ?', job.id);
    },
    postpone: (job, dueAt) => {
      store.run('UPDATE jobs SET due_at = ? WHERE id = ?', dueAt, job.id);
    },
    next(full, lanes) {
      const row = nextRow(full, lanes);
      return row === undefined ? null : { ...row, payload: JSON.parse(row.payload) };
    },
    nextDueAt: () =>
      store.get<{ dueAt: number | null }>('SELECT min(due_at) AS dueAt FROM jobs')?.dueAt ?? null,
  };
}
