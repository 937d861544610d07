/** The job table as the runner reads it: what is due, and in which order. */
import type { Store } from '../store.ts';
import type { Job } from '../world.ts';

export interface JobQueue {
  has(job: Job): boolean;
  postpone(job: Job, dueAt: number): void;
  /** The first job by due time, leaving out those that may not begin now. */
  next(blocked: Blocked): Job | null;
  nextDueAt(): number | null;
}

export interface Blocked {
  readonly ids: readonly number[];
  readonly lanes: readonly string[];
  /** No job with a lane may begin. */
  readonly full: boolean;
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
  const free = `${select} ${first}`;
  const allowed = `${select} WHERE id NOT IN (SELECT value FROM json_each(?))
    AND (lane IS NULL OR (? AND lane NOT IN (SELECT value FROM json_each(?)))) ${first}`;
  return {
    has: (job) => store.get('SELECT 1 FROM jobs WHERE id = ?', job.id) !== undefined,
    postpone: (job, dueAt) => {
      store.run('UPDATE jobs SET due_at = ? WHERE id = ?', dueAt, job.id);
    },
    next({ ids, lanes, full }) {
      const row =
        ids.length === 0
          ? store.get<Row>(free)
          : store.get<Row>(allowed, JSON.stringify(ids), full ? 0 : 1, JSON.stringify(lanes));
      return row === undefined ? null : { ...row, payload: JSON.parse(row.payload) };
    },
    nextDueAt: () =>
      store.get<{ dueAt: number | null }>('SELECT min(due_at) AS dueAt FROM jobs')?.dueAt ?? null,
  };
}
