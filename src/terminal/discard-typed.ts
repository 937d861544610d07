/** What stands between the keys of a person and a question that they have not seen yet. */
import { setImmediate as turn } from 'node:timers/promises';
import { usageError } from '../errors.ts';
import type { Io } from './io.ts';
import { questionInterruptedError } from './prompter.ts';

/** stdin, as a terminal has it. */
export type Keyboard = Io['stdin'] & { readonly isRaw?: boolean; setRawMode?(raw: boolean): unknown };

/** Of a few microseconds each, or of one read: longer than any paste. */
const mostRounds = 1_000;

/**
 * Discards what was typed before a question is there: a `y` from before must not send money. Call it before anything
 * of the question is written. Raw, because a terminal otherwise keeps an unfinished line for itself. Rejects with
 * `interrupted` (130) at Ctrl-C, which is a key meanwhile, and with a usage error (64) if the typing never ends; ends
 * early when `signal` aborts or the terminal goes away.
 */
export async function discardTyped(stdin: Keyboard, signal: AbortSignal | undefined): Promise<void> {
  let typed = true;
  let isInterrupted = false;
  const discard = (keys: Buffer | string) => {
    typed = true;
    isInterrupted ||= keys.includes('\x03');
  };
  const isOver = () => isInterrupted || signal?.aborted === true || stdin.readableEnded || stdin.destroyed;
  muteErrors(stdin);
  stdin.setRawMode?.(true);
  stdin.on('data', discard).resume();
  try {
    for (let round = 0; typed && !isOver(); round++) {
      if (round === mostRounds) throw endlessTypingError();
      typed = false;
      // Two turns, since the first may end before the terminal is looked at.
      await turn();
      await turn();
    }
  } finally {
    stdin.off('data', discard).pause();
    stdin.setRawMode?.(false);
  }
  if (isInterrupted) throw questionInterruptedError(undefined);
}

const endlessTypingError = () =>
  usageError(
    'Something types at this terminal without a pause, so nothing can be asked. Nothing was sent.',
    'Give the answers as flags; --help lists them.',
  );

const ignore = () => {};

/** A hung-up terminal refuses even to leave raw mode. */
export function muteErrors(stdin: Keyboard): void {
  if (!stdin.listeners('error').includes(ignore)) stdin.on('error', ignore);
}
