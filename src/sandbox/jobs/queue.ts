/** The job table as the runner reads it: what is due, and in which order. */
import type { Store } from '../store/store.ts';
import type { Job } from '../world/world.ts';

interface JobQueue {
  has(job: Job): boolean;
  postpone(job: Job, dueAt: number): void;
  /** Returns the first job by due time, leaving out those that may not begin now. */
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

export function createJobQueue(store: Store): JobQueue {
  return {
    has: (job) => store.get('SELECT 1 FROM jobs WHERE id = ?', job.id) !== undefined,
    postpone: (job, dueAt) => {
      store.run('UPDATE jobs SET due_at = ? WHERE id = ?', dueAt, job.id);
    },
    next({ ids, lanes, full }) {
      const row =
        ids.length === 0
          ? store.get<Row>(free)
          : store.get<Row>(allowed, JSON.stringify(ids), JSON.stringify(lanes), full ? 1 : 0);
      return row === undefined ? null : { ...row, payload: JSON.parse(row.payload) };
    },
    nextDueAt: () =>
      store.get<{ dueAt: number | null }>('SELECT min(due_at) AS dueAt FROM jobs')?.dueAt ?? null,
  };
}

const select = 'SELECT id, kind, due_at AS dueAt, payload, lane FROM jobs';
const first = 'ORDER BY due_at, id LIMIT 1';
const free = `${select} ${first}`;

/** Asks each lane for its first job, so as not to walk through thousands behind a slow endpoint. */
const allowed = `
WITH RECURSIVE
  begun (id) AS (SELECT value FROM json_each(?)),
  full (lane) AS (SELECT value FROM json_each(?)),
  lanes (lane) AS (
    SELECT (SELECT lane FROM jobs WHERE lane > '' ORDER BY lane LIMIT 1)
    UNION ALL
    SELECT (SELECT lane FROM jobs WHERE lane > lanes.lane ORDER BY lane LIMIT 1) FROM lanes WHERE lane IS NOT NULL
  ),
  heads (id) AS (
    SELECT (SELECT id FROM jobs WHERE lane IS NULL AND id NOT IN (SELECT id FROM begun) ${first})
    UNION ALL
    SELECT (SELECT id FROM jobs WHERE lane = lanes.lane AND id NOT IN (SELECT id FROM begun) ${first})
    FROM lanes WHERE NOT ? AND lane NOT IN (SELECT lane FROM full)
  )
${select} WHERE id IN (SELECT id FROM heads) ${first}`;
