/** What a batch prints: each line as it is read (`--dry-run`), or at its end counts, and every row for machines. */
import { maskPixKey } from '../../../contract/pix-key-mask.ts';
import type { View } from '../../../terminal/view.ts';
import type { BatchLine } from '../../../withdrawal/batch/line.ts';
import type { ResultRow } from '../../../withdrawal/batch/result.ts';
import type { BatchEnd } from '../../../withdrawal/batch/run.ts';

interface BatchSummary {
  readonly file: string;
  readonly result: string;
  readonly count: number;
  /** Total in cents, without fees. */
  readonly total: number;
  /** How many lines are in each state. */
  readonly states: Readonly<Record<string, number>>;
  readonly left: number;
  /** How many lines an earlier run had already sent. */
  readonly replayed: number;
  readonly exitCode: number;
  readonly lines: readonly ResultRow[];
}

export function summaryOf(
  run: Pick<BatchSummary, 'file' | 'result' | 'total' | 'exitCode'>,
  { rows, left, replayed }: BatchEnd,
): BatchSummary {
  const states: Record<string, number> = {};
  for (const { state } of rows) states[state] = (states[state] ?? 0) + 1;
  const { file, result, total, exitCode } = run;
  return { file, result, count: rows.length, total, states, left, replayed, exitCode, lines: rows };
}

export const batchSummaryView: View<BatchSummary> = {
  name: 'batch',
  columns: [
    { key: 'file', header: 'File' },
    { key: 'result', header: 'Result' },
    { key: 'count', header: 'Lines' },
    { key: 'total', header: 'Sum', kind: 'cents' },
    {
      key: 'states',
      header: 'States',
      value: ({ states }) =>
        Object.entries(states)
          .map(([state, n]) => `${state} ${n}`)
          .join(', '),
    },
    { key: 'left', header: 'Not reached' },
    { key: 'exitCode', header: 'Exit code' },
    { key: 'replayed', header: 'Sent by an earlier run' },
  ],
};

export const batchLineView: View<BatchLine> = {
  name: 'line',
  columns: [
    { key: 'line', header: 'Line' },
    { key: 'idempotencyKey', header: 'Idempotency key', kind: 'id' },
    { key: 'amount', header: 'Amount', kind: 'cents' },
    { key: 'pixKey', header: 'PIX key', text: ({ pixKey, pixKeyType }) => maskPixKey(pixKey, pixKeyType) },
    { key: 'pixKeyType', header: 'Type' },
  ],
};
