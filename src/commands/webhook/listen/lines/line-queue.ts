/**
 * Queues lines on their way to stdout. What is reported while earlier lines are being written waits here, in order, and
 * is handed over in large portions, so that a busy listener writes once for many events.
 */
import { formatCount } from '../../../../terminal/format-count.ts';
import type { TimedLine } from './lines.ts';
import { createWaitingLines } from './waiting-lines.ts';

export interface LineQueue extends AsyncIterable<readonly TimedLine[]> {
  push(line: TimedLine): void;
  /** Accepts no more. What was pushed before is still read. */
  end(): void;
}

/**
 * @param warn told how many refused deliveries were left out, when the reader goes on
 * @param mostRejected how many of them wait for a reader that has stopped: anybody can cause them, and they must not
 * take up all memory. What was answered with 2xx is always reported.
 */
export function createLineQueue(warn: (text: string) => void, mostRejected = 100_000): LineQueue {
  const lines = createWaitingLines();
  let rejected = 0;
  let leftOut = 0;
  let ended = false;
  let wake: (() => void) | null = null;
  const notify = () => {
    wake?.();
    wake = null;
  };
  function take(): readonly TimedLine[] {
    const ready = lines.take();
    if (rejected > 0) rejected -= ready.filter(isRejected).length;
    if (leftOut > 0)
      warn(
        `${formatCount(leftOut, 'more refused request')} came while nobody was reading the output; ${leftOut === 1 ? 'it is' : 'they are'} not listed.`,
      );
    leftOut = 0;
    return ready;
  }
  return {
    push(line) {
      if (ended) return;
      if (isRejected(line) && rejected === mostRejected) {
        leftOut += 1;
        return;
      }
      if (isRejected(line)) rejected += 1;
      lines.push(line);
      notify();
    },
    end() {
      ended = true;
      notify();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (!lines.isEmpty) yield take();
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

const isRejected = ({ line }: TimedLine): boolean => line.type === 'rejected';
