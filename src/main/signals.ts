/** The signals that ask a run to stop, and how a run that was stopped ends. */
import { systemClock } from '../clock.ts';
import { type ExitCode, endedBy, exitCodes } from '../errors.ts';
import type { Io } from '../terminal/io.ts';

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interrupt {
  readonly signal: AbortSignal;
  /** From now on a signal ends the process as the system does. */
  stop(): void;
  /**
   * All is done and told, and no first signal changes the exit code any more. Node stops listening some milliseconds
   * before the process is gone; `process.exit`, once nothing is left to wait for, ends it without that.
   */
  listenToTheEnd(): void;
}

/** At a SIGUSR1 Node would open its debugger, and with it our keys, to every user of the machine. */
const ignore = () => {};

/**
 * The first signal asks the command to stop. The second ends the process as the system does; but to a shell that is
 * 130 or 143, "nothing was sent". Where that would be wrong, `atOnce` returns another exit code, and `process.exit`
 * ends with it; null lets the system end the process. We go on listening until the process has ended, because a signal
 * that comes after the outcome was shown must not change the exit code.
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
    // We stay listening: a library that finds itself the last listener would end the process in our stead.
    if (!controller.signal.aborted) return controller.abort(name);
    // Nobody's impatience: one hangup is told by the kernel and by the shell, and systemd sends one with its SIGTERM.
    if (name === 'SIGHUP') return;
    const code = atOnce(name);
    // Where it ends with a code, a third signal must not end it before that.
    if (code === null) stop();
    end(endedBy(name), platform, code ?? undefined);
  };
  for (const name of stopSignals) process.on(name, onSignal);
  process.on('SIGUSR1', ignore);
  const listenToTheEnd = () => {
    // What others do at the end is done by then: they were there before.
    process.once('exit', (code) => process.exit(code));
  };
  return { signal: controller.signal, stop, listenToTheEnd };
}

/** All is done, but stdout still waits for its reader. If the reader has stopped, Node would wait for ever. */
export async function endUnread(io: Io, { signal: { reason }, stop }: Interrupt): Promise<void> {
  const { untilStalled } = await import('../terminal/stalled.ts');
  const taken = new AbortController();
  const take = () => taken.abort();
  io.write('').then(take, take);
  await untilStalled(io, systemClock, taken.signal);
  if (taken.signal.aborted) return;
  stop();
  end(endedBy(reason), process.platform);
}

/** With `code`, or by the signal. On Windows who is sent one ends with 1, as by a bug: there it is always a code. */
function end(
  kind: ReturnType<typeof endedBy>,
  platform: NodeJS.Platform,
  code: ExitCode | null = platform === 'win32' ? exitCodes[kind].exit : null,
): void {
  if (code !== null) process.exit(code);
  process.kill(process.pid, kind === 'terminated' ? 'SIGTERM' : 'SIGINT');
}
