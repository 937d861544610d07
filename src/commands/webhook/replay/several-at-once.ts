/** Works through many things, several at once: a bounded number in each lane, and in all lanes together. */

interface Pace<T> {
  /** Those of one lane are begun in their order, and use up only their own places. */
  readonly laneOf: (item: T) => string;
  readonly perLane: number;
  readonly inAll: number;
  /** Once it aborts, nothing more is begun. */
  readonly signal: AbortSignal;
}

/**
 * Begins as many as there is room for, and yields each result when it has come. While nobody asks for the next one,
 * nothing is begun. After a failure, and when the caller asks for no more, it waits for what is under way. `work` is
 * told by `stopping` to begin nothing more itself. Throws the first failure, after the results of the others.
 */
export async function* severalAtOnce<T, R>(
  items: readonly T[],
  { laneOf, perLane, inAll, signal }: Pace<T>,
  work: (item: T, stopping: AbortSignal) => Promise<R>,
): AsyncGenerator<R> {
  const lanes = lanesOf(items, laneOf);
  const over = new AbortController();
  const stopping = AbortSignal.any([signal, over.signal]);
  const running = new Set<Promise<void>>();
  const ended: R[] = [];
  const failures: unknown[] = [];

  async function run(lane: Lane<T>, item: T): Promise<void> {
    lane.busy += 1;
    try {
      ended.push(await work(item, stopping));
    } catch (cause) {
      failures.push(cause);
      over.abort();
    } finally {
      lane.busy -= 1;
    }
  }

  function beginNext(): boolean {
    for (const lane of lanes) {
      if (lane.busy >= perLane) continue;
      const one = run(lane, lane.items[lane.next++] as T).finally(() => running.delete(one));
      running.add(one);
      if (lane.next === lane.items.length) lanes.delete(lane);
      return true;
    }
    return false;
  }

  async function settle(): Promise<void> {
    over.abort();
    await Promise.all(running);
    if (failures.length > 0) throw failures[0];
  }

  try {
    for (;;) {
      while (!stopping.aborted && running.size < inAll && beginNext());
      const [result] = ended.splice(0, 1);
      if (result !== undefined) yield result;
      else if (running.size > 0) await Promise.race(running);
      else break;
    }
  } finally {
    await settle();
  }
}

interface Lane<T> {
  readonly items: readonly T[];
  /** The place of the first that was not begun. */
  next: number;
  busy: number;
}

const lanesOf = <T>(items: readonly T[], laneOf: (item: T) => string): Set<Lane<T>> =>
  new Set([...Map.groupBy(items, laneOf).values()].map((those) => ({ items: those, next: 0, busy: 0 })));
