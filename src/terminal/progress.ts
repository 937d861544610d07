/** Shows what takes long on stderr: only on a terminal, not with --quiet, and not for what is done at once. */
import type { Clock } from '../clock.ts';
import { makeVisible } from './escape.ts';
import type { Io } from './io.ts';

export interface Progress {
  update(text: string): void;
  /** `12 of 40 charges` with a bar; without `total` a count. */
  count(done: number, total: number | null, noun: string): void;
  /** Removes it from the screen. Idempotent. */
  stop(): void;
}

/** For anything shorter, a spinner is a flicker. */
const patienceMs = 400;

/** Appears after 0.4 s, when it loads the spinner's library, which hides itself from other output. */
export function startProgress(io: Io, clock: Clock, options: { quiet: boolean; text: string }): Progress {
  let text = makeVisible(options.text);
  if (!io.stderrIsTerminal || options.quiet) return { update() {}, count() {}, stop() {} };
  const stopped = new AbortController();
  let spinner: { text: string; stop(): unknown } | undefined;
  let stopWatching = () => {};
  const begin = async () => {
    await clock.sleep(patienceMs, stopped.signal);
    if (stopped.signal.aborted) return;
    const { default: yoctoSpinner } = await import('yocto-spinner');
    if (stopped.signal.aborted) return;
    // Signals belong to `main`; the library would end the process.
    const shown = yoctoSpinner({ text, stream: io.stderr, handleSignals: false });
    // Before it hides the cursor, which the shell shall have back.
    stopWatching = io.onSuspend(
      () => shown.stop(),
      () => shown.start(),
    );
    spinner = shown.start();
  };
  // It cannot be loaded once the program has been replaced, which must not end what it would be shown for.
  begin().catch(() => {});

  const update = (next: string) => {
    const shown = makeVisible(next);
    // On a dumb terminal, the spinner prints each text that it is given on a line of its own.
    if (shown === text) return;
    text = shown;
    if (spinner !== undefined) spinner.text = text;
  };
  return {
    update,
    count: (done, total, noun) =>
      update(total === null ? `${done} ${noun}` : `${bar(done, total)} ${done} of ${total} ${noun}`),
    stop() {
      stopped.abort();
      stopWatching();
      spinner?.stop();
      spinner = undefined;
    },
  };
}

const barWidth = 20;

function bar(done: number, total: number): string {
  const filled = total <= 0 ? barWidth : Math.round((Math.min(done, total) / total) * barWidth);
  return `[${'='.repeat(filled)}${' '.repeat(barWidth - filled)}]`;
}
