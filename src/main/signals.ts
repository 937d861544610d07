/** The signals that ask a run to stop, and how a run that was stopped ends. */
import { systemClock } from '../clock.ts';
import { type ExitCode, exitCodes, kindForSignal } from '../errors.ts';
import type { Io } from '../terminal/io.ts';

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interrupt {
  readonly signal: AbortSignal;
  /** From now on, a signal ends the process as the system would. */
  stopListening(): void;
  /**
   * For when all is done and shown: from now on, no first signal changes the exit code. Node stops listening some
   * milliseconds before the process is gone; `process.exit`, once nothing is left to wait for, ends it without that
   * gap.
   */
  lockExitCode(): void;
}

/** At SIGUSR1, Node would open its debugger, and with it our keys, to every user of the machine. */
const ignore = () => {};

/**
 * Listens for the signals that ask a run to stop. The first asks the command to stop. The second ends the process as
 * the system would, which a shell sees as 130 or 143, "nothing was sent". Where that would be wrong, `atOnce` returns
 * another exit code for `process.exit`; null leaves the ending to the system. We go on listening until the process has
 * ended, because a signal that comes after the outcome was shown must not change the exit code.
 */
export function listenForSignals(
  atOnce: (name: NodeJS.Signals) => ExitCode | null,
  platform: NodeJS.Platform = process.platform,
): Interrupt {
  const controller = new AbortController();
  const stop = () => {
    for (const name of stopSignals) process.off(name, onSignal);
  };
  const onSignal = (name: NodeJS.Signals) => {
    // Keep listening: a library that finds itself the last listener would end the process in our stead.
    if (!controller.signal.aborted) return controller.abort(name);
    // Not a sign of impatience: the kernel and the shell both report one hangup, and systemd sends a SIGHUP with its
    // SIGTERM.
    if (name === 'SIGHUP') return;
    const code = atOnce(name);
    // If it ends with a code, a third signal must not end it first.
    if (code === null) stop();
    endProcess(kindForSignal(name), platform, code ?? undefined);
  };
  for (const name of stopSignals) process.on(name, onSignal);
  process.on('SIGUSR1', ignore);
  const listenToTheEnd = () => {
    // By now the other listeners for the exit have run: they registered earlier.
    process.once('exit', (code) => process.exit(code));
  };
  return { signal: controller.signal, stopListening: stop, lockExitCode: listenToTheEnd };
}

/**
 * Ends a run that is done while stdout still waits for its reader. If the reader has stopped, Node would wait for ever.
 */
export async function endDespiteUnreadOutput(
  io: Io,
  { signal: { reason }, stopListening }: Interrupt,
): Promise<void> {
  const { waitUntilStalled } = await import('../terminal/streams/stalled.ts');
  const taken = new AbortController();
  const take = () => taken.abort();
  io.write('').then(take, take);
  await waitUntilStalled(io, systemClock, taken.signal);
  if (taken.signal.aborted) return;
  stopListening();
  endProcess(kindForSignal(reason), process.platform);
}

/**
 * Ends the process with `code`, or by the signal. On Windows, a signalled process ends with 1, as if by a bug, so there
 * it is always a code.
 */
function endProcess(
  kind: ReturnType<typeof kindForSignal>,
  platform: NodeJS.Platform,
  code: ExitCode | null = platform === 'win32' ? exitCodes[kind].exit : null,
): void {
  if (code !== null) process.exit(code);
  process.kill(process.pid, kind === 'terminated' ? 'SIGTERM' : 'SIGINT');
}
