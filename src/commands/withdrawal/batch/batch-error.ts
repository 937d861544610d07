/** What the run of a batch amounts to: one error for the whole file, in words. */
import { formatCents } from '../../../contract/money.ts';
import { type ExitName, exitCodes, kindForSignal, messageOf, PixctlError } from '../../../errors.ts';
import { commandLine, flagWords } from '../../../flags/command-line.ts';
import { formatCount } from '../../../terminal/format-count.ts';
import type { BatchLine } from '../../../withdrawal/batch/line.ts';
import type { ResultRow } from '../../../withdrawal/batch/result.ts';
import { type BatchEnd, continuableExits, isWorse, type LineEnd } from '../../../withdrawal/batch/run.ts';
import { runAgain } from '../../../withdrawal/outcome/create-outcome.ts';
import { describeOutcome } from '../../../withdrawal/outcome/money-moved.ts';
import type { Outcome } from '../../../withdrawal/outcome/outcome.ts';

/**
 * Returns one error for the run, with the worst exit code. Its message begins with what the whole file came to.
 * `funds`: the `fundsHint` of its worst line.
 */
export function errorOf(end: BatchEnd, signal: AbortSignal, funds = ''): PixctlError | null {
  const { exit, worst, left, unsaved } = end;
  const begun = signal.aborted ? findUnfinishedLine(end) : null;
  if (worst !== null) return worstLineError(end, worst, { begun, stop: stopOf(end, signal, begun), funds });
  const tally = tallyOf(end);
  if (unsaved !== null) return resultNotWrittenError(tally, unsaved);
  // Every line is done and well: a signal that came too late is no error.
  if (left === 0 && exit === 'ok') return null;
  return new PixctlError(
    begun?.exit ?? kindForSignal(signal.reason),
    begun?.code ?? 'INTERRUPTED',
    `Stopped between two lines${begun === null ? ', with nothing in flight' : ''}. ${tally}${begun?.what ?? ''}`,
    { hint: rerunHint },
  );
}

function worstLineError(
  end: BatchEnd,
  { line, outcome }: LineEnd,
  { begun, stop, funds }: { begun: UnfinishedLine | null; stop: Stop | null; funds: string },
): PixctlError {
  const next = nextStep(line, outcome);
  const counts =
    begun !== null && isWorse(begun.exit, end.exit) ? begun : { exit: end.exit, code: outcome.code };
  return new PixctlError(
    counts.exit,
    counts.code,
    `${tallyOf(end)} ${nameOf(line)}: ${inWords(outcome)}${stop?.what ?? ''}${begun?.what ?? ''}`,
    {
      hint: followedBy(
        funds === '' ? next : `${funds} ${next}`,
        stop?.next ?? (end.left > 0 ? continueHint(outcome) : ''),
      ),
      field: outcome.field,
      httpStatus: outcome.httpStatus,
      serviceCode: outcome.serviceCode,
      afterShown: end.recordTold,
    },
  );
}

const isInterrupted = (exit: ExitName): boolean => exit === 'interrupted' || exit === 'terminated';

interface UnfinishedLine {
  readonly exit: ExitName;
  readonly code: string;
  readonly what: string;
}

/**
 * Returns what an earlier run began and did not end, for a run that was stopped before it got there; null if nothing.
 * The outcomes of this run itself are reported with their lines.
 */
function findUnfinishedLine({ rows: all, worst, stoppedAt }: BatchEnd): UnfinishedLine | null {
  const rows = all.filter(({ line }) => line !== worst?.line.line && line !== stoppedAt?.line.line);
  const describe = (row: ResultRow, words: string) =>
    ` Line ${row.line} (${row.idempotencyKey}), of an earlier run: ${words}.`;
  const unknown = rows.find(({ state }) => state === 'UNKNOWN' || state === 'SENDING');
  if (unknown !== undefined)
    return { exit: 'unknown', code: 'OUTCOME_UNKNOWN', what: describe(unknown, 'money may have moved') };
  const accepted = rows.find(({ state }) => state === 'ACCEPTED');
  return accepted === undefined
    ? null
    : { exit: 'pending', code: 'PENDING', what: describe(accepted, 'money is on its way') };
}

/** Sentences for the end of the message and of the hint. */
type Stop = Record<'what' | 'next', string>;

/** Says what ended the run if that is not its worst line: with --continue-on-failed, a lesser one that came later. */
function stopOf(
  { worst, stoppedAt, left }: BatchEnd,
  signal: AbortSignal,
  begun: UnfinishedLine | null,
): Stop | null {
  if (stoppedAt === null) {
    const idle = begun === null ? ', with nothing in flight' : '';
    return left > 0 && signal.aborted
      ? { what: ` The run was then stopped between two lines${idle}.`, next: ` ${rerunHint}` }
      : null;
  }
  const { line, outcome } = stoppedAt;
  if (line === worst?.line) return null;
  return {
    what: ` The run stopped at line ${line.line} (${line.idempotencyKey}): ${inWords(outcome)}`,
    next: ` ${nameOf(line)}: ${nextStep(line, outcome)}`,
  };
}

const nameOf = ({ line, idempotencyKey }: BatchLine): string => `Line ${line} (${idempotencyKey})`;

/** Puts an outcome into words, knowing that money of earlier lines may have moved in this run. */
const inWords = (outcome: Outcome): string =>
  describeOutcome(outcome).replace(
    /^No money moved in this run\./,
    'No money moved for this line in this run.',
  );

/** Joins two sentences. A step may end with a command line, which the next sentence must not become part of. */
const followedBy = (step: string, next: string): string =>
  next === '' || /[.!?]$/.test(step) ? `${step}${next}` : `${step}.${next}`;

const rerunHint = 'Run the same file again: what is done is not sent twice.';

/**
 * Returns the next step. Running the same file again waits for what a line waits for; what a person has to say is about
 * the line alone.
 */
function nextStep({ idempotencyKey }: BatchLine, { exit, code, hint, correction = '' }: Outcome): string {
  if (exit === 'pending' && code === 'PENDING')
    return 'Run the same file again: it follows this line to its end, then continues.';
  if (code === 'BUSY') return 'Run the same file again later; --timeout makes it wait longer for each line.';
  if (code === 'POSSIBLE_DUPLICATE')
    return `If it is another withdrawal, send this line by itself: ${commandLine(['pixctl', 'withdraw', '--allow-duplicate', ...flagWords('--idempotency-key', idempotencyKey)])} with its amount and PIX key. Then run the same file again.${correction}`;
  if (code === 'REFUSED' && exit !== 'later') return 'Once the cause is fixed, run the same file again.';
  if (exit === 'pending' && hint !== undefined) return followedBy(hint, ' Then run the same file again.');
  if (isInterrupted(exit)) return rerunHint;
  return (
    hint?.replace(runAgain, 'Run the same file again') ??
    `Exit ${exitCodes[exit].exit}: ${exitCodes[exit].next}. Then run the same file again.`
  );
}

/**
 * Says how to get past a line that has ended or is held up, at which the file would stop again. The reason for a
 * refusal may be removed, or may apply to the lines behind it too, as rules of the policy that pass with time do.
 */
function continueHint({ exit, code }: Outcome): string {
  if (!continuableExits.has(exit) || exit === 'refused') return '';
  return passing.has(code)
    ? ' Run the same file again once this no longer applies: what is done is not sent twice.'
    : ' To pay the lines that were not reached, run the same file with --continue-on-failed.';
}

const passing: ReadonlySet<string> = new Set(['POLICY_MAX_PER_DAY', 'POLICY_QUIET_HOURS']);

export function tallyOf({ rows, left }: BatchEnd): string {
  const done = rows.filter(({ state }) => state === 'COMPLETED');
  const sum = done.reduce((cents, { amount }) => cents + amount, 0);
  return `${done.length} of ${formatCount(rows.length, 'withdrawal')} completed (${formatCents(sum)}), ${left} not reached.`;
}

export const resumeHint = 'The ledger knows what was paid: run the same file again to write the result file.';

/** The error for a result that could not be written: 74 would say that nothing was sent. */
const resultNotWrittenError = (tally: string, cause: unknown): PixctlError =>
  new PixctlError(
    'unexpected',
    'RESULT_NOT_WRITTEN',
    `${tally} The result file could not be written: ${messageOf(cause)}`,
    { hint: resumeHint, cause },
  );
