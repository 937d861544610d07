/**
 * Queues lines on their way to stdout. What is reported while earlier lines are being written waits here, in order, and
 * is handed over in large portions, so that a busy listener writes once for many events.
 */
import { createWaitingLines } from './waiting-lines.ts';

export interface LineQueue<T> extends AsyncIterable<readonly T[]> {
  push(line: T): void;
  /** Accepts no more. What was pushed before is still read. */
  end(): void;
}

/** Lines that anybody can cause. If their reader has stopped, they must not take up all memory. */
export interface DroppableLines<T> {
  isDroppable(line: T): boolean;
  /** How many may wait. Beyond that, they are left out. */
  readonly maxWaiting: number;
  /** Called when the reader goes on. */
  onDropped(count: number): void;
}

export function createLineQueue<T>(dispensable: DroppableLines<T> | null = null): LineQueue<T> {
  const lines = createWaitingLines<T>();
  let dispensables = 0;
  let leftOut = 0;
  let ended = false;
  let wake: (() => void) | null = null;
  const notify = () => {
    wake?.();
    wake = null;
  };
  /** Whether a line is to be left out. */
  function isBeyond(line: T): boolean {
    if (!dispensable?.isDroppable(line)) return false;
    if (dispensables < dispensable.maxWaiting) {
      dispensables += 1;
      return false;
    }
    leftOut += 1;
    return true;
  }
  function taken(): readonly T[] {
    const ready = lines.take();
    if (dispensables > 0) for (const line of ready) if (dispensable?.isDroppable(line)) dispensables -= 1;
    if (leftOut > 0) dispensable?.onDropped(leftOut);
    leftOut = 0;
    return ready;
  }
  return {
    push(line) {
      if (ended || isBeyond(line)) return;
      lines.push(line);
      notify();
    },
    end() {
      ended = true;
      notify();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (!lines.isEmpty) yield taken();
        if (ended) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        // Whatever is reported in this turn of the event loop is written at once.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}
