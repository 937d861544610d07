/** What goes wrong inside a running sandbox, for the people at its terminal. */
import type { Clock } from '../../../clock.ts';
import { isUnusable } from '../../../sandbox/store/unusable.ts';

/** How long the same trouble of the state is not told again, milliseconds. */
const quietMs = 60_000;

/**
 * A bug is told with its stack, each time. What keeps the state from being written or read (a full disk) says
 * everything in one line, and every request meets it: it is told once a minute.
 */
export function troubleTeller(
  write: (line: string) => void,
  clock: Pick<Clock, 'monotonic'>,
): (error: unknown) => void {
  const told = new Map<string, number>();
  return (error) => {
    if (!(error instanceof Error)) return write(String(error));
    if (!isUnusable(error)) return write(error.stack ?? error.message);
    const now = clock.monotonic();
    const last = told.get(error.message);
    if (last !== undefined && now - last < quietMs) return;
    told.set(error.message, now);
    write(
      `The sandbox cannot use its state: ${error.message}. Until that is repaired, requests that need it are answered with 500.`,
    );
  };
}
