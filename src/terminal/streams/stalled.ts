/** Detects whether stdout's reader still reads. */
import type { Clock } from '../../clock.ts';
import { kindForSignal, PixctlError } from '../../errors.ts';
import type { Io } from '../io.ts';

/** How long a reader may take nothing of what is waiting for it. Milliseconds. */
const patienceMs = 2_000;

/** Resolves once the reader of stdout has taken nothing for a while, or when `signal` aborts. */
export async function waitUntilStalled(
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

/** Something to write to, waiting after each write until the reader has taken it. */
export type Writable = Pick<Io, 'write' | 'stdoutClosed'>;

/**
 * Wraps `io` so that it does not wait for its reader for ever: once `signal` has aborted and the reader takes nothing,
 * the pending write rejects with 130 or 143. `stop` it in a `finally`.
 */
export function createInterruptibleWriter(
  io: Io,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal | undefined,
): { readonly writable: Writable; stop(): void } {
  if (signal === undefined) return { writable: io, stop: () => {} };
  const over = new AbortController();
  let giveUp = (_error: PixctlError): void => {};
  const onAbort = async () => {
    await waitUntilStalled(io, clock, over.signal);
    const kind = kindForSignal(signal.reason);
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
