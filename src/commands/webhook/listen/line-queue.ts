/**
 * Lines on their way to stdout: what is told while the last ones are written waits here, in order, and is
 * given as one portion, so that a busy listener writes once for many events.
 */
export interface LineQueue<T> extends AsyncIterable<readonly T[]> {
  push(line: T): void;
  /** What was pushed before is still read. */
  end(): void;
}

/** Lines that anybody may cause: while their reader has stopped they must not take all memory. */
export interface Dispensable<T> {
  is(line: T): boolean;
  /** So many wait; what comes beyond is left out. */
  readonly most: number;
  /** Told when the reader goes on. */
  onLeftOut(count: number): void;
}

export function createLineQueue<T>(dispensable: Dispensable<T> | null = null): LineQueue<T> {
  let lines: T[] = [];
  let dispensables = 0;
  let ended = false;
  let wake: (() => void) | null = null;
  const notify = () => {
    wake?.();
    wake = null;
  };
  function taken(): readonly T[] {
    const ready = lines;
    const leftOut = dispensables - (dispensable?.most ?? 0);
    lines = [];
    dispensables = 0;
    if (leftOut > 0) dispensable?.onLeftOut(leftOut);
    return ready;
  }
  return {
    push(line) {
      if (ended || (dispensable?.is(line) && ++dispensables > dispensable.most)) return;
      lines.push(line);
      notify();
    },
    end() {
      ended = true;
      notify();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const ready = taken();
        if (ready.length > 0) yield ready;
        if (lines.length > 0) continue;
        if (ended) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        // What is told in this turn of the event loop is written at once.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}
