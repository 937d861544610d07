import { expect, it } from 'vitest';
import { openProgress } from '../../../../src/commands/withdrawal/batch/progress.ts';
import type { Output } from '../../../../src/terminal/output.ts';
import type { BatchLine } from '../../../../src/withdrawal/batch/line.ts';
import type { Outcome } from '../../../../src/withdrawal/outcome/outcome.ts';

it('the note of a payment that went wrong is one line, whatever the service says of it', () => {
  const notes: string[] = [];
  const output = {
    note: (text: string) => void notes.push(text),
    progress: () => ({ count() {}, stop() {} }),
  } as unknown as Output;
  const { line } = openProgress(output, 1);
  const message = 'the withdrawal failed: closed\r\nLine 3 (k-3): paid';
  line(
    { line: 2, idempotencyKey: 'k-2' } as BatchLine,
    { exit: 'endedBadly', code: 'FAILED', message } as Outcome,
    1,
  );
  expect(notes).toEqual(['Line 2 (k-2): FAILED: the withdrawal failed: closed\\r\\nLine 3 (k-3): paid']);
});
