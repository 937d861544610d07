/** Runs each due job once: in the transaction that removes it, or begun there and followed to its end. */
import { timers } from '../../clock.ts';
import type { Job, World } from '../world/world.ts';
import { createJobQueue } from './queue.ts';
import { createRunningJobs, type RunningJobs } from './running-jobs.ts';

export interface DueJobs {
  /** Runs what is due, in order of due time. False if there is more than one batch, or it was stopped. */
  run(): boolean;
  /** Returns the first job that may begin, due or not. */
  next(): Job | null;
  /** Returns when the first of all jobs is due, begun or not. */
  nextDueAt(): number | null;
  /** How many have run. */
  readonly ran: number;
  /** True while nothing begins: a job failed, and the store could not even postpone it (a full disk). */
  readonly isBackingOff: boolean;
  readonly running: Pick<RunningJobs, 'count' | 'waitForAny' | 'waitForAll'>;
}

export interface DueJobsOptions {
  /** Told what a handler threw, whose job is tried again a minute later, and why no job could be read. */
  readonly failed: (error: unknown) => void;
  /** Called when a job that was begun has ended, and when a rest is over, because others may have waited for that. */
  readonly ended: () => void;
  readonly isStopped: () => boolean;
}

/** How many jobs run before others get the thread again. */
const batch = 200;
/** Real milliseconds. */
const backOffMs = 1_000;

export function createDueJobs(world: World, { failed, ended, isStopped }: DueJobsOptions): DueJobs {
  const { store, clock, handlers } = world;
  const queue = createJobQueue(store);
  const running = createRunningJobs();
  let ran = 0;
  let isBackingOff = false;

  const next = () => (isBackingOff ? null : queue.next(running.blocked()));
  const runOne = (job: Job) => {
    ran += 1;
    try {
      const handler = handlers.get(job.kind);
      if (handler === undefined) throw new Error(`no handler for a job of kind ${job.kind}`);
      if ('begin' in handler) running.add(job, follow(job, handler.begin(world, job)), ended);
      else {
        store.transaction(() => {
          world.unschedule(job);
          handler.run(world, job);
        });
      }
    } catch (error) {
      putOff(job, error);
    }
  };
  const follow = async (job: Job, work: Promise<void>): Promise<void> => {
    try {
      await work;
      if (!isStopped() && queue.has(job)) throw new Error(`a job of kind ${job.kind} ended undone`);
    } catch (error) {
      putOff(job, error);
    }
  };
  const putOff = (job: Job, error: unknown) => {
    failed(error);
    try {
      queue.postpone(job, clock.now() + 60_000);
    } catch {
      // It stays due. Whatever kept it from being postponed may do the same to all others.
      backOff();
    }
  };
  const backOff = () => {
    if (isBackingOff || isStopped()) return;
    isBackingOff = true;
    const over = () => {
      isBackingOff = false;
      ended();
    };
    timers.setTimeout(over, backOffMs).unref();
  };

  return {
    run() {
      for (let count = 0; count < batch && !isStopped(); count += 1) {
        const job = next();
        if (job === null || job.dueAt > clock.now()) return true;
        runOne(job);
      }
      return false;
    },
    next,
    nextDueAt: queue.nextDueAt,
    get ran() {
      return ran;
    },
    get isBackingOff() {
      return isBackingOff;
    },
    running,
  };
}
