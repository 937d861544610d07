/** Whether whoever reads stdout still does. */
import type { Clock } from '../clock.ts';
import { endedBy, PixctlError } from '../errors.ts';
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

/** What is written to in turn, each time until the reader has taken it. */
export type Writable = Pick<Io, 'write' | 'stdoutClosed'>;

/**
 * `io`, whose reader is not waited for without end: once `signal` has aborted and the reader takes nothing, the write
 * that waits for it rejects with 130 or 143. `stop` it in a `finally`.
 */
export function unlessStopped(
  io: Io,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal | undefined,
): { readonly writable: Writable; stop(): void } {
  if (signal === undefined) return { writable: io, stop: () => {} };
  const over = new AbortController();
  let giveUp = (_error: PixctlError): void => {};
  const onAbort = async () => {
    await untilStalled(io, clock, over.signal);
    const kind = endedBy(signal.reason);
    const what = `Stopped by ${String(signal.reason)} while nothing was reading the output, which is incomplete.`;
    giveUp(new PixctlError(kind, 'INTERRUPTED', what));
  };
  if (signal.aborted) void onAbort();
  else signal.addEventListener('abort', onAbort, { once: true, signal: over.signal });
  const writable: Writable = {
    get stdoutClosed() {
      return io.stdoutClosed;
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        giveUp = reject;
        io.write(text).then(resolve, reject);
      }),
  };
  return { writable, stop: () => over.abort() };
}
