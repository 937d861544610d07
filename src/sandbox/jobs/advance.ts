/** Moves the clock forward in steps, so that everything due fires at its own time, in order. */
import { timers } from '../../clock.ts';
import type { SandboxClock } from '../world/clock.ts';
import type { DueJobs } from './due.ts';

export interface Advanced {
  /** Sandbox time reached. Milliseconds. */
  readonly now: number;
  /** How many jobs ran. */
  readonly ran: number;
  /** False if patience ran out first, the jobs rest, or they were stopped. What is left goes on by itself. */
  readonly settled: boolean;
}

interface AdvanceParts {
  readonly clock: SandboxClock;
  readonly due: DueJobs;
  /** Longest wait. Real milliseconds. */
  readonly patienceMs: number;
  readonly isStopped: () => boolean;
}

/** Moves the clock by `ms` milliseconds. Nothing else may run jobs in the meantime. */
export async function advance(parts: AdvanceParts, ms: number): Promise<Advanced> {
  const { clock, due, patienceMs, isStopped } = parts;
  const before = due.ran;
  const release = clock.hold();
  const target = clock.now() + ms;
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const patience = timers.setTimeout(() => resolve('late'), patienceMs);
  try {
    let settled = await settle(parts, late);
    while (settled && !isStopped()) {
      const dueAt = due.nextDueAt();
      if (dueAt === null || dueAt > target) break;
      clock.moveTo(dueAt);
      settled = await settle(parts, late);
    }
    clock.moveTo(target);
    return { now: target, ran: due.ran - before, settled: settled && !isStopped() };
  } finally {
    timers.clearTimeout(patience);
    release();
  }
}

/** Runs what is due now, and what comes of it, to the end. False if `late` came first, or the jobs rest. */
async function settle({ due, isStopped }: AdvanceParts, late: Promise<'late'>): Promise<boolean> {
  for (;;) {
    const all = due.run();
    if (due.isBackingOff) return false;
    if (!all && !isStopped()) await new Promise(timers.setImmediate);
    else if (due.running.count === 0) return true;
    else if ((await Promise.race([late, due.running.waitForAny()])) === 'late') return false;
  }
}
