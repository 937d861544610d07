/** Shows on stderr how far a batch is: a bar on a terminal, and a line for each payment that went wrong. */
import { makeVisible } from '../../../terminal/escape.ts';
import type { Output } from '../../../terminal/output.ts';
import type { BatchLine } from '../../../withdrawal/batch/line.ts';
import type { Outcome } from '../../../withdrawal/outcome/outcome.ts';

interface BatchProgress {
  readonly line: (line: BatchLine, outcome: Outcome, done: number) => void;
  readonly stop: () => void;
}

/** Opens the display. `count`: how many lines are to be paid. */
export function openProgress(output: Pick<Output, 'note' | 'progress'>, count: number): BatchProgress {
  const progress = output.progress('');
  progress.count(0, count, 'withdrawals');
  return {
    line: ({ line, idempotencyKey }, outcome, done) => {
      if (outcome.exit !== 'ok')
        // One line for a payment, whatever the service says of it.
        output.note(`Line ${line} (${idempotencyKey}): ${outcome.code}: ${makeVisible(outcome.message)}`);
      progress.count(done, count, 'withdrawals');
    },
    stop: progress.stop,
  };
}
