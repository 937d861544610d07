/** Goes through the whole inbox in ranges of keys, the oldest first, so that no single statement reads all of it. */
import type { Queries } from '../database/port.ts';
import { eventKeyOf, maxTargets, targetKeyOf } from '../forward/targets.ts';
import { keepHeapSteady } from '../steady-heap.ts';

interface KeyRange {
  /** Not in it. */
  readonly after: string;
  /** In it. The rows of one event are never in two ranges. */
  readonly upTo: string;
}

/** Rows of a range, or a few more: some milliseconds. */
const rowsAtOnce = 2_000;

/** Between two ranges, others get their turn. Ends early once `signal` aborts. */
export async function* keyRanges(database: Queries, signal?: AbortSignal): AsyncGenerator<KeyRange> {
  const letGrow = await keepHeapSteady();
  try {
    yield* rangesOf(database, signal);
  } finally {
    letGrow();
  }
}

async function* rangesOf(database: Queries, signal?: AbortSignal): AsyncGenerator<KeyRange> {
  let after = '';
  while (signal?.aborted !== true) {
    const [row] = await database.query<{ last: string | null }>(
      `SELECT MAX(key) AS last FROM (SELECT key FROM inbox_event WHERE key > $1 ORDER BY key LIMIT ${rowsAtOnce}) AS these`,
      [after],
    );
    const last = row?.last ?? null;
    if (last === null) return;
    const upTo = targetKeyOf(eventKeyOf(last), maxTargets - 1);
    yield { after, upTo };
    after = upTo;
    // An embedded database answers before the event loop has turned, and a signal would never be seen.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Portions of at most `size`. */
export const portionsOf = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
