/**
 * Runs everything due, in order of due time, on the sandbox clock. A job is removed in the transaction of
 * its effect, so a killed sandbox neither loses nor repeats one; a real timer exists only for the next due.
 */
import { timerDelay } from '../../clock.ts';
import type { Job, World } from '../world/world.ts';
import { jobQueue } from './queue.ts';
import { underWay } from './under-way.ts';

export interface Advanced {
  /** Sandbox time reached, milliseconds. */
  readonly now: number;
  /** How many jobs ran. */
  readonly ran: number;
  /** False when patience ran out first: the rest is due and goes on by itself. */
  readonly settled: boolean;
}

export interface JobRunner {
  start(): void;
  /** Starts nothing more, and resolves when what is under way has ended. */
  stop(): Promise<void>;
  /** Runs what is due, after a change from outside: a clock unfrozen, a state restored. */
  wake(): void;
  /** Moves the clock `ms` forward in steps: everything due fires at its own time, in order. */
  advance(ms: number): Promise<Advanced>;
  /** Starts nothing, waits for what is under way, and does `work` before anything else runs. */
  pause<T>(work: () => T): Promise<T>;
}

export interface RunnerOptions {
  /** Told of a handler that threw; its job is tried again a minute later. */
  readonly failed: (job: Job, error: unknown) => void;
  /** Real milliseconds that `advance` waits at most. */
  readonly patienceMs?: number | undefined;
}

/** Jobs run before others get the thread again. */
const batch = 200;

export function jobRunner(world: World, { failed, patienceMs = 120_000 }: RunnerOptions): JobRunner {
  const { store, clock, handlers } = world;
  const queue = jobQueue(store);
  const begun = underWay();
  let state: 'idle' | 'running' | 'stopped' = 'idle';
  let turns: Promise<unknown> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let woken: NodeJS.Immediate | undefined;
  let ran = 0;

  const wake = () => {
    if (state === 'running' && turns === null) woken ??= setImmediate(tick);
  };
  world.onSchedule = wake;

  const next = () => queue.next(begun.blocked());

  const runOne = (job: Job) => {
    ran += 1;
    try {
      const handler = handlers.get(job.kind);
      if (handler === undefined) throw new Error(`no handler for a job of kind ${job.kind}`);
      if ('begin' in handler) begun.add(job, follow(job, handler.begin(world, job)), wake);
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
      if (state !== 'stopped' && queue.has(job)) throw new Error(`a job of kind ${job.kind} ended undone`);
    } catch (error) {
      putOff(job, error);
    }
  };
  const putOff = (job: Job, error: unknown) => {
    queue.postpone(job, clock.now() + 60_000);
    failed(job, error);
  };
  /** Runs due jobs; false when there are more than fit in one batch. */
  const runDue = (): boolean => {
    for (let count = 0; count < batch && state !== 'stopped'; count += 1) {
      const job = next();
      if (job === null || job.dueAt > clock.now()) return true;
      runOne(job);
    }
    return false;
  };

  function tick() {
    woken = undefined;
    clearTimeout(timer);
    if (state !== 'running' || turns !== null) return;
    if (!runDue()) return wake();
    const job = next();
    if (job === null || clock.mode === 'frozen') return;
    timer = setTimeout(tick, timerDelay(Math.max(job.dueAt - clock.now(), 1)));
    timer.unref();
  }

  /** Runs what is due now, and what comes of it, to its end; false when `late` came first. */
  const settle = async (late: Promise<'late'>): Promise<boolean> => {
    for (;;) {
      const all = runDue();
      if (!all && state !== 'stopped') await new Promise(setImmediate);
      else if (begun.count === 0) return true;
      else if ((await Promise.race([late, begun.any()])) === 'late') return false;
    }
  };
  const step = async (ms: number): Promise<Advanced> => {
    const before = ran;
    const release = clock.hold();
    const target = clock.now() + ms;
    const { promise: late, resolve } = Promise.withResolvers<'late'>();
    const patience = setTimeout(() => resolve('late'), patienceMs);
    let settled = await settle(late);
    while (settled && state !== 'stopped') {
      const due = queue.nextDueAt();
      if (due === null || due > target) break;
      clock.moveTo(due);
      settled = await settle(late);
    }
    clearTimeout(patience);
    clock.moveTo(target);
    release();
    return { now: target, ran: ran - before, settled };
  };

  /** One after another, with nothing else started meanwhile. */
  const takeTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const turn = (turns ?? Promise.resolve()).then(work);
    const over = turn.then(
      () => {},
      () => {},
    );
    turns = over;
    try {
      return await turn;
    } finally {
      if (turns === over) turns = null;
      wake();
    }
  };

  return {
    wake,
    start() {
      state = 'running';
      wake();
    },
    async stop() {
      state = 'stopped';
      clearTimeout(timer);
      if (woken) clearImmediate(woken);
      await Promise.all([begun.all(), turns]);
    },
    advance: (ms) => takeTurn(() => step(ms)),
    pause: (work) =>
      takeTurn(async () => {
        await begun.all();
        return work();
      }),
  };
}
