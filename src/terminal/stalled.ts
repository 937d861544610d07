/** Whether whoever reads stdout still does. */
import type { Clock } from '../clock.ts';
import type { Io } from './io.ts';

/** How long a reader may take nothing of what waits for it. Milliseconds. */
const patienceMs = 2_000;

/** Resolves when the reader of stdout has taken nothing for a while, or when `signal` aborts. */
export async function untilStalled(
  io: Pick<Io, 'stdoutBacklog'>,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): Promise<void> {
  for (let before = 0; !signal.aborted; ) {
    const backlog = io.stdoutBacklog;
    if (backlog > 0 && backlog === before) return;
    before = backlog;
    await clock.sleep(patienceMs, signal);
  }
}
