/**
 * Runs everything due, in order of due time, on the sandbox clock. A job is removed in the transaction of its effect,
 * so a killed sandbox neither loses nor repeats one. Only the next due job has a real timer.
 */
import { timers } from '../../clock.ts';
import type { World } from '../world/world.ts';
import { type Advanced, advance } from './advance.ts';
import { createDueJobs, type DueJobsOptions } from './due.ts';
import { createSerialQueue } from './serial-queue.ts';

export interface JobRunner {
  start(): void;
  /** Starts nothing more, and resolves when what is under way has ended. */
  stop(): Promise<void>;
  /** Runs what is due after a change from outside: a clock unfrozen, a state restored. */
  wake(): void;
  /** Moves the clock `ms` forward in steps, so that everything due fires at its own time, in order. */
  advance(ms: number): Promise<Advanced>;
  /**
   * Starts nothing, waits for what is under way, and does `work` before anything else runs.
   * @param interrupt ends what is under way; called at once, after which nothing begins and an advance stops
   */
  pause<T>(work: () => T, interrupt?: () => void): Promise<T>;
}

interface RunnerOptions extends Pick<DueJobsOptions, 'failed'> {
  /** Longest wait of `advance`. Real milliseconds. */
  readonly patienceMs?: number | undefined;
}

/**
 * The longest real time until the next look, in milliseconds: a timer stands still while the machine sleeps, its clock
 * does not; and jobs that cannot be read now may be readable then.
 */
const lookAgainMs = 1_000;

export function createJobRunner(world: World, { failed, patienceMs = 120_000 }: RunnerOptions): JobRunner {
  const { clock } = world;
  let interruptions = 0;
  let state: 'idle' | 'running' | 'stopped' = 'idle';
  let timer: NodeJS.Timeout | undefined;
  let woken: NodeJS.Immediate | undefined;

  const wake = () => {
    if (state === 'running' && !serialQueue.isBusy) woken ??= timers.setImmediate(tick);
  };
  const isStopped = () => state === 'stopped' || interruptions > 0;
  const serialQueue = createSerialQueue(wake);
  const due = createDueJobs(world, { failed, ended: wake, isStopped });
  world.onSchedule = wake;

  function tick() {
    woken = undefined;
    timers.clearTimeout(timer);
    if (state !== 'running' || serialQueue.isBusy) return;
    const inMs = runDue();
    if (inMs === null) return;
    timer = timers.setTimeout(tick, inMs);
    timer.unref();
  }

  /** Runs what is due. Returns the milliseconds until there is more; null if somebody else wakes the runner. */
  function runDue(): number | null {
    try {
      if (!due.run()) wake();
      else {
        const job = due.next();
        if (job !== null && clock.mode !== 'frozen') {
          return Math.min(Math.max(job.dueAt - clock.now(), 1), lookAgainMs);
        }
      }
      return null;
    } catch (error) {
      // The jobs could not even be read (a failing disk). There is nobody but the process to report this to.
      failed(error);
      return lookAgainMs;
    }
  }

  return {
    wake,
    start() {
      state = 'running';
      wake();
    },
    async stop() {
      state = 'stopped';
      timers.clearTimeout(timer);
      if (woken) timers.clearImmediate(woken);
      await Promise.all([due.running.waitForAll(), serialQueue.whenIdle()]);
    },
    advance: (ms) => serialQueue.run(() => advance({ clock, due, patienceMs, isStopped }, ms)),
    pause(work, interrupt) {
      const cut = interrupt === undefined ? 0 : 1;
      interruptions += cut;
      interrupt?.();
      return serialQueue.run(async () => {
        try {
          await due.running.waitForAll();
          return work();
        } finally {
          interruptions -= cut;
        }
      });
    },
  };
}
