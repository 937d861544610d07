/** Shows an outcome: first whether money moved, then the data, then the exit code. */
import { exitCodes, PixctlError } from '../../errors.ts';
import { commandLineWithKey } from '../../flags/command-line.ts';
import type { Intent, IntentEvent } from '../../ledger/intent.ts';
import { type CompletedAction, untilShown } from '../../runtime/completed-action.ts';
import type { Runtime } from '../../runtime.ts';
import { columnValue } from '../../terminal/view.ts';
import { describeOutcome } from '../../withdrawal/outcome/money-moved.ts';
import type { Outcome } from '../../withdrawal/outcome/outcome.ts';
import { type Asked, earlierView, type Receipt, receiptOf, receiptView } from './receipt.ts';

interface ShowOptions {
  readonly events?: readonly IntentEvent[];
  /** `--if-busy skip`: the exit code stays, and its words become a note that `--quiet` silences. */
  readonly skipped?: boolean;
}

/**
 * Shows the receipt, in full if a machine reads it. Throws for every outcome but `ok`: the words of the error,
 * beginning with whether money moved, are the last line on stderr.
 */
export async function showOutcome(
  runtime: Runtime,
  outcome: Outcome,
  order: Asked,
  { events, skipped = false }: ShowOptions = {},
): Promise<void> {
  const output = await runtime.output();
  const words = describeOutcome(outcome);
  const error = errorOf(outcome, words, skipped);
  if (outcome.exit === 'ok' || skipped)
    output.note(outcome.hint === undefined ? words : `${words}\n${outcome.hint}`);
  if (outcome.exit === 'ok' && outcome.intent !== null)
    runtime.flight.completed = recordedAction(words, outcome.intent);
  if (output.options.format !== 'table' || outcome.intent !== null)
    await untilShown(output, showReceipt(runtime, receiptOf(outcome, order, events)), error);
  if (error !== null) throw error;
}

function errorOf(outcome: Outcome, words: string, skipped: boolean): PixctlError | null {
  const { exit, code, hint, field, httpStatus, serviceCode, recordTold: afterShown } = outcome;
  if (exit === 'ok') return null;
  const details = { hint, field, httpStatus, serviceCode, alreadyShown: skipped, afterShown };
  return new PixctlError(exit, code, words, details);
}

/**
 * Shows the lines that say something, and at a terminal only those that say more than the sentence and the state do.
 * Machines, and whoever asks for fields, get them all.
 */
async function showReceipt(runtime: Runtime, receipt: Receipt): Promise<void> {
  const output = await runtime.output();
  const { format, fields } = output.options;
  if (format !== 'table' || fields !== null) return output.show(receiptView, receipt);
  const view = receipt.exitCode === exitCodes.keyReused.exit ? earlierView : receiptView;
  const usual: Partial<Receipt> = { inferred: false, replayed: false, code: receipt.state, exitCode: 0 };
  const columns = view.columns.filter(
    (column) =>
      (columnValue(column, receipt) ?? '') !== '' &&
      !(runtime.io.stdoutIsTerminal && usual[column.key as keyof Receipt] === columnValue(column, receipt)),
  );
  await output.show({ ...view, columns }, receipt);
}

const recordedAction = (words: string, { idempotencyKey }: Intent): CompletedAction => ({
  what: words,
  hint: `The ledger has recorded it: ${commandLineWithKey(['pixctl', 'withdrawal', 'status'], idempotencyKey)} shows it again.`,
});
