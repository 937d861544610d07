/** The row of a line in the result file. */
import { exitCodes } from '../../errors.ts';
import type { Intent } from '../../ledger/intent.ts';
import { bodyText } from '../matching/body.ts';
import * as outcomes from '../outcome/create-outcome.ts';
import type { Outcome } from '../outcome/outcome.ts';
import { isSameOrder } from '../settling/check-ledger.ts';
import type { BatchLine } from './line.ts';
import type { ResultRow } from './result.ts';

/**
 * Returns the row of what the ledger has for a line, or one that says that the key belongs to another order or a
 * charge.
 */
export function rowOf(order: BatchLine, intent: Intent | null): ResultRow {
  const { idempotencyKey, amount, line } = order;
  const row = { idempotencyKey, amount, line };
  if (intent === null) return { ...row, state: 'NOT_STARTED', withdrawalId: null, reason: null };
  if (!isSameOrder(intent, bodyText(order)))
    return { ...row, state: 'KEY_REUSED', withdrawalId: null, reason: outcomes.keyReused(intent).message };
  return { ...row, state: intent.state, withdrawalId: intent.resourceId, reason: intent.reason };
}

/** The same row with what this run came to, if that was not well. */
export function outcomeRow(outcome: Outcome, row: ResultRow): ResultRow {
  if (outcome.exit === 'ok') return row;
  const reason = `${outcome.code} (exit ${exitCodes[outcome.exit].exit}): ${outcome.message}`;
  if (row.state === 'KEY_REUSED') return { ...row, reason };
  return { ...row, reason: row.reason === null ? reason : `${row.reason}: ${reason}` };
}
