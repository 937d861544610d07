/** Passes on only once in a while what may otherwise be repeated over and over. */
import type { Clock } from '../clock.ts';

/** The same text is not passed on again within this time: it may come with every request. */
const quietMs = 60_000;

/** Texts may contain what the network sent, so the memory is bounded. */
const mostRemembered = 100;

/** Wraps `tell` so that it gets the same text at most once a minute. */
export function limitRepeats(
  tell: (text: string) => void,
  clock: Pick<Clock, 'monotonic'>,
): (text: string) => void {
  const shownAt = new Map<string, number>();
  return (text) => {
    const now = clock.monotonic();
    if (now - (shownAt.get(text) ?? Number.NEGATIVE_INFINITY) < quietMs) return;
    if (shownAt.size > mostRemembered) shownAt.clear();
    shownAt.set(text, now);
    tell(text);
  };
}
