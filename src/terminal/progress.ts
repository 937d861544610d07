/** Shows what takes long on stderr: only on a terminal, not with --quiet, and not for what is done at once. */
import type { Clock } from '../clock.ts';
import { inAscii, makeVisible } from './escape.ts';
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

/** What stands before the text, and the last column, in which some terminals already go on to the next line. */
const besideText = '⠋ '.length + 1;

export interface ProgressOptions {
  readonly quiet: boolean;
  readonly text: string;
  /** The terminal moves no cursor: each text stays there, on lines of its own. */
  readonly dumb?: boolean;
  /** The terminal shows ASCII alone. */
  readonly ascii?: boolean;
}

const asciiSpinner = { frames: ['-', '\\', '|', '/'], interval: 80 };

/** Appears after 0.4 s, when it loads the spinner's library, which hides itself from other output. */
export function startProgress(io: Io, clock: Clock, options: ProgressOptions): Progress {
  const { ascii = false } = options;
  const safe = (said: string) => (ascii ? inAscii(makeVisible(said)) : makeVisible(said));
  let text = safe(options.text);
  if (!io.stderrIsTerminal || options.quiet) return { update() {}, count() {}, stop() {} };
  const stopped = new AbortController();
  let spinner: { text: string; stop(): unknown } | undefined;
  let fitted = () => text;
  const show = () => {
    if (spinner !== undefined) spinner.text = fitted();
  };
  let stopWatching = () => {};
  const hide = () => {
    if (spinner === undefined) return;
    io.stderr.off('resize', show);
    spinner.stop();
    spinner = undefined;
  };
  const begin = async () => {
    await clock.sleep(patienceMs, stopped.signal);
    if (stopped.signal.aborted) return;
    const [{ default: yoctoSpinner }, { cutToWidth }] = await Promise.all([
      import('yocto-spinner'),
      import('./wrap.ts'),
    ]);
    if (stopped.signal.aborted) return;
    // One line: a terminal that is made wider makes fewer of several, and what is above would be erased with them.
    if (options.dumb !== true) fitted = () => cutToWidth(text, io.size().columns - besideText);
    const appear = () => {
      // Signals belong to `main`; the library would end the process.
      spinner = yoctoSpinner({
        text: fitted(),
        stream: io.stderr,
        handleSignals: false,
        ...(ascii ? { spinner: asciiSpinner } : {}),
      }).start();
      io.stderr.on('resize', show);
    };
    // Before it hides the cursor, which the shell shall have back. After `bg` it stays away: it would be drawn over the
    // shell's line. A dumb terminal has neither.
    if (options.dumb !== true) stopWatching = io.onSuspend(hide, (inForeground) => inForeground && appear());
    appear();
  };
  // It cannot be loaded once the program has been replaced, which must not end what it would be shown for.
  begin().catch(() => {});

  const update = (next: string) => {
    const shown = safe(next);
    // On a dumb terminal, the spinner prints each text that it is given on a line of its own.
    if (shown === text) return;
    text = shown;
    show();
  };
  return {
    update,
    count: (done, total, noun) =>
      update(total === null ? `${done} ${noun}` : `${bar(done, total)} ${done} of ${total} ${noun}`),
    stop() {
      stopped.abort();
      stopWatching();
      hide();
    },
  };
}

const barWidth = 20;

function bar(done: number, total: number): string {
  const filled = total <= 0 ? barWidth : Math.round((Math.min(done, total) / total) * barWidth);
  return `[${'='.repeat(filled)}${' '.repeat(barWidth - filled)}]`;
}
