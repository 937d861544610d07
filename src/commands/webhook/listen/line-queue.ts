/**
 * Lines on their way to stdout: what is told while the last ones are written waits here, in order, and is
 * given as one portion, so that a busy listener writes once for many events.
 */
export interface LineQueue<T> extends AsyncIterable<readonly T[]> {
  push(line: T): void;
  /** What was pushed before is still read. */
  end(): void;
}

export function createLineQueue<T>(): LineQueue<T> {
  let lines: T[] = [];
  let ended = false;
  let wake: (() => void) | null = null;
  const notify = () => {
    wake?.();
    wake = null;
  };
  return {
    push(line) {
      if (ended) return;
      lines.push(line);
      notify();
    },
    end() {
      ended = true;
      notify();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const ready = lines;
        lines = [];
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
