/** The jobs that are begun and not ended: how many there are, and which others may not begin. */
import type { Job } from '../world/world.ts';
import type { Blocked } from './queue.ts';

const perLane = 8;
const perRunner = 256;

export interface RunningJobs {
  readonly count: number;
  /** Returns which jobs may not begin now: those begun already, and those of lanes that are full. */
  blocked(): Blocked;
  add(job: Job, work: Promise<void>, ended: () => void): void;
  /** Resolves when one ends; at once if there is none. */
  waitForAny(): Promise<unknown>;
  waitForAll(): Promise<unknown>;
}

export function createRunningJobs(): RunningJobs {
  const works = new Map<number, Promise<void>>();
  const lanes = new Map<string, number>();
  const occupy = (lane: string | null, change: 1 | -1) => {
    if (lane === null) return;
    const count = (lanes.get(lane) ?? 0) + change;
    if (count === 0) lanes.delete(lane);
    else lanes.set(lane, count);
  };
  return {
    get count() {
      return works.size;
    },
    blocked: () => ({
      ids: [...works.keys()],
      lanes: [...lanes].filter(([, count]) => count >= perLane).map(([lane]) => lane),
      full: works.size >= perRunner,
    }),
    add(job, work, ended) {
      occupy(job.lane, 1);
      const tracked = work.finally(() => {
        works.delete(job.id);
        occupy(job.lane, -1);
        ended();
      });
      works.set(job.id, tracked);
    },
    waitForAny: () => Promise.race(works.size === 0 ? [null] : works.values()),
    waitForAll: () => Promise.all(works.values()),
  };
}
