/** The clock as a test holds it. */
import { parseDuration } from '../flags/duration.ts';
import type { ClockMode, SandboxClock } from './clock.ts';
import type { Advanced, JobRunner } from './jobs/runner.ts';

export interface ClockControl {
  /** Sandbox time. */
  now(): Date;
  readonly mode: ClockMode;
  /**
   * Moves forward by milliseconds, or a duration like `24h`: everything due fires at its own time, in order.
   * Resolves when all of it has ended, deliveries included.
   */
  advance(by: number | string): Promise<Advanced>;
  /** Stands still; what is due now still happens. */
  freeze(): void;
  /** Runs on from where it stands. */
  unfreeze(): void;
}

export const clockControl = (clock: SandboxClock, jobs: JobRunner): ClockControl => ({
  now: () => new Date(clock.now()),
  get mode() {
    return clock.mode;
  },
  advance: (by) => jobs.advance(typeof by === 'number' ? by : parseDuration(by)),
  freeze: clock.freeze,
  unfreeze() {
    clock.unfreeze();
    jobs.wake();
  },
});
