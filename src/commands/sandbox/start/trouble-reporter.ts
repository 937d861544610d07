/** Reports what goes wrong inside a running sandbox, for the people at its terminal. */
import type { Clock } from '../../../clock.ts';
import { PixctlError } from '../../../errors.ts';
import {
  CorruptStateError,
  corruptStateHint,
  isStorageFailure,
} from '../../../sandbox/store/store-failures.ts';
import { makeVisible } from '../../../terminal/escape.ts';
import { limitRepeats } from '../../../terminal/limit-repeats.ts';

/**
 * Reports errors. A bug is reported each time, with its stack. Whatever keeps the state from being written or read (a
 * full disk, a record edited by hand), or too many connections, is said in one line but met by every request, so it is
 * reported once a minute.
 */
export function createTroubleReporter(
  write: (line: string) => void,
  clock: Pick<Clock, 'monotonic'>,
): (error: unknown) => void {
  // It may name a record of the state, whose text can be anybody's.
  const show = (text: string) => write(makeVisible(text, { keep: 'lines' }));
  const tell = limitRepeats(show, clock);
  return (error) => {
    const words = inWords(error);
    if (words === null) return show(error instanceof Error ? (error.stack ?? error.message) : String(error));
    tell(words);
  };
}

/** Puts an error into words. Null for a bug. */
function inWords(error: unknown): string | null {
  if (error instanceof CorruptStateError)
    return `The sandbox cannot read its state: ${error.message}. Requests that need it are answered with 500. What to do: ${corruptStateHint}.`;
  if (error instanceof PixctlError && error.code === 'TOO_MANY_CONNECTIONS')
    return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
  return isStorageFailure(error)
    ? `The sandbox cannot use its state: ${error.message}. Until that is repaired, requests that need it are answered with 500.`
    : null;
}
