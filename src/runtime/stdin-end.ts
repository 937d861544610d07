/** The end of stdin as an end of the run: a pipe ends when the program at its other end is gone, however it went. */
import type { Runtime } from '../runtime.ts';

export interface StdinEnd {
  /** Aborts at a signal, and when stdin ends. */
  readonly signal: AbortSignal;
  /** Whether it was stdin, and no signal. */
  hasCome(): boolean;
  /** Call it at the end, or the process would go on to read. */
  stopWatching(): void;
}

/** Watches stdin, whose text means nothing, if `asked`; otherwise only signals. */
export function watchStdinEnd({ io, signal }: Pick<Runtime, 'io' | 'signal'>, asked: boolean): StdinEnd {
  if (!asked) return { signal, hasCome: () => false, stopWatching() {} };
  const { stdin } = io;
  const ended = new AbortController();
  const end = () => ended.abort();
  if (stdin.readableEnded || stdin.destroyed) end();
  const events = ['end', 'close', 'error'] as const;
  for (const event of events) stdin.once(event, end);
  stdin.resume();
  return {
    signal: AbortSignal.any([signal, ended.signal]),
    hasCome: () => ended.signal.aborted && !signal.aborted,
    stopWatching() {
      // That it is closed now is not what ended the run.
      for (const event of events) stdin.off(event, end);
      stdin.on('error', () => {}).destroy();
    },
  };
}
