/** What goes wrong inside a running sandbox, for the people at its terminal. */
import type { Clock } from '../../../clock.ts';
import { isUnusable, OddState, oddStateHint } from '../../../sandbox/store/unusable.ts';
import { makeVisible } from '../../../terminal/escape.ts';
import { seldom } from '../../../terminal/seldom.ts';

/**
 * A bug is told with its stack, each time. What keeps the state from being written or read (a full disk, a record that
 * was edited by hand) says everything in one line, and every request meets it: it is told once a minute.
 */
export function troubleTeller(
  write: (line: string) => void,
  clock: Pick<Clock, 'monotonic'>,
): (error: unknown) => void {
  // A record of the state, which it may name, is anybody's text.
  const show = (text: string) => write(makeVisible(text, { keep: 'lines' }));
  const tell = seldom(show, clock);
  return (error) => {
    const words = inWords(error);
    if (words === null) return show(error instanceof Error ? (error.stack ?? error.message) : String(error));
    tell(words);
  };
}

/** Null for a bug. */
function inWords(error: unknown): string | null {
  if (error instanceof OddState)
    return `The sandbox cannot read its state: ${error.message}. Requests that need it are answered with 500. What to do: ${oddStateHint}.`;
  return isUnusable(error)
    ? `The sandbox cannot use its state: ${error.message}. Until that is repaired, requests that need it are answered with 500.`
    : null;
}
