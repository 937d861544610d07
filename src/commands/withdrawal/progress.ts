/** How far a batch is, on stderr: one moving line on a terminal, a line for each that went wrong elsewhere. */
import type { Io } from '../../terminal/io.ts';
import type { BatchLine } from '../../withdrawal/batch-line.ts';
import type { Outcome } from '../../withdrawal/outcome.ts';

export interface Progress {
  readonly line: (line: BatchLine, outcome: Outcome, done: number) => void;
  readonly stop: () => void;
}

const width = 24;

export function openProgress(io: Io, note: (text: string) => void, count: number, quiet: boolean): Progress {
  const moving = io.stderrIsTerminal && !quiet;
  const clear = () => {
    if (moving) io.stderr.write('\r\u001b[2K');
  };
  const draw = (done: number) => {
    if (!moving) return;
    const filled = Math.floor((done / count) * width);
    io.stderr.write(`\r\u001b[2K[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done}/${count}`);
  };
  draw(0);
  return {
    line: ({ line, idempotencyKey }, outcome, done) => {
      if (outcome.exit !== 'ok') {
        clear();
        note(`line ${line} (${idempotencyKey}): ${outcome.code}: ${outcome.message}`);
      }
      draw(done);
    },
    stop: clear,
  };
}
