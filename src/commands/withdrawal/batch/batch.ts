/** `pixctl withdrawal batch <file>`: every line at most once, resumable by the same file. */
import { resolve } from 'node:path';
import { formatCents } from '../../../contract/money.ts';
import { dataError, type ExitName, endedBy, exitCodes, PixctlError } from '../../../errors.ts';
import { commandLine, flagWords } from '../../../flags/command-line.ts';
import { missingYes } from '../../../runtime/agreed.ts';
import { readInputFile } from '../../../runtime/input-file.ts';
import type { Runtime } from '../../../runtime.ts';
import { counted } from '../../../terminal/counted.ts';
import { sweepDrafts } from '../../../withdrawal/batch/drafts.ts';
import { readBatchFile } from '../../../withdrawal/batch/file.ts';
import type { BatchLine } from '../../../withdrawal/batch/line.ts';
import {
  checkBatchName,
  checkResultPath,
  type ResultRow,
  resultPathOf,
  writeResult,
} from '../../../withdrawal/batch/result.ts';
import { type BatchEnd, runBatch } from '../../../withdrawal/batch/run.ts';
import { inWords } from '../../../withdrawal/outcome/moved.ts';
import type { Outcome } from '../../../withdrawal/outcome/outcome.ts';
import { runAgain } from '../../../withdrawal/outcome/say.ts';
import { refuseOtherLabel } from '../implied-label.ts';
import { ofMerchant } from '../of-merchant.ts';
import { openProtocol } from '../protocol.ts';
import { openProgress } from './progress.ts';
import { stepsOf } from './steps.ts';
import { batchSummaryView, summaryOf } from './view.ts';

export interface BatchFlags {
  readonly result?: string;
  readonly continueOnFailed?: boolean;
}

export async function batch(runtime: Runtime, path: string, flags: BatchFlags): Promise<void> {
  const output = await runtime.output(batchSummaryView);
  const rehearsal = runtime.globals.dryRun === true;
  // Before it is read: a pipe is read once.
  if (!rehearsal && flags.result === undefined) await checkBatchName(path);
  const lines = await readWhole(runtime, path);
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  output.note(
    `${path}: ${counted(lines.length, 'withdrawal')}, ${formatCents(total)} in all; the service adds its fee to each.`,
  );
  warnOfTwins(lines, output.warn);
  if (rehearsal) return output.note('Dry run: the file is good. Nothing was sent.');

  const resultPath = flags.result ?? resultPathOf(path);
  const resultFile = await checkResultPath(resolve(resultPath), resolve(path));
  await confirmBatch(runtime, lines.length, total);
  const protocol = await openProtocol(runtime);
  await refuseOtherLabel(runtime, protocol, lines);
  const steps = await stepsOf(runtime, protocol);
  const { owners } = protocol.dependencies;
  await sweepDrafts(resultFile, owners);
  // Last: a spinner that nobody stops keeps the process.
  const progress = openProgress(output, lines.length);
  const end = await runBatch(lines, {
    ...steps,
    save: (rows) => writeResult(resultFile, rows, owners.self),
    onLine: progress.line,
    continueOnFailed: flags.continueOnFailed === true,
    signal: runtime.signal,
  }).finally(progress.stop);
  if (end.unsaved === null) output.note(`Result: ${resultPath}`);
  // By itself it is the error.
  else if (end.worst !== null)
    output.warn(`${resultPath} is not complete: ${inOneLine(end.unsaved)}. ${resumable}`);
  const error = errorOf(end, runtime.signal);
  const summary = summaryOf({ file: path, result: resultPath, total, exitCode: error?.exit ?? 0 }, end);
  runtime.flight.done = { what: tallyOf(end), hint: resumable };
  await output.show(batchSummaryView, summary).catch((cause: unknown) => {
    throw error ?? cause;
  });
  if (error !== null) throw error;
}

/** The file, judged whole: 65 with every bad line when any is bad. */
async function readWhole(runtime: Runtime, path: string): Promise<readonly BatchLine[]> {
  // Of lines that an earlier run began, money may be on its way: only the file says which they are.
  const bytes = await readInputFile(runtime, path, { despiteSignals: true });
  const { lines, bad } = await readBatchFile(bytes);
  if (bad.length === 0) return lines;
  const output = await runtime.output();
  for (const { line, reason } of bad) output.warn(`${path}:${line}: ${reason}`);
  throw dataError(
    'BATCH_FILE',
    `The file ${path} has ${counted(bad.length, 'bad line')}: ${bad.map(({ line }) => line).join(', ')}. Nothing was sent.`,
    'Each is shown above with its reason; correct the file and run it again.',
  );
}

async function confirmBatch(runtime: Runtime, count: number, total: number): Promise<void> {
  if (runtime.globals.yes === true) return;
  const [prompter, config] = await Promise.all([runtime.prompter(), runtime.config()]);
  if (!prompter.canAsk) throw missingYes('sent');
  const profile = config.profile();
  const whose = `profile "${profile.name}"${ofMerchant(profile, config.list().length > 1)} at ${profile.baseUrl}`;
  const message = `Send ${counted(count, 'withdrawal')}, ${formatCents(total)} in all, from ${whose}? Type the count to confirm:`;
  if ((await prompter.input({ message })).trim() === String(count)) return;
  throw new PixctlError('policy', 'NOT_CONFIRMED', 'Not confirmed; nothing was sent.');
}

/** The same sum to the same key twice is allowed, and worth a look. */
function warnOfTwins(lines: readonly BatchLine[], warn: (text: string) => void): void {
  const seen = new Map<string, number>();
  for (const { line, amount, pixKey } of lines) {
    const twin = seen.get(`${amount} ${pixKey}`);
    if (twin === undefined) seen.set(`${amount} ${pixKey}`, line);
    else warn(`lines ${twin} and ${line} pay the same amount to the same key; both are sent.`);
  }
}

/** One exit code for the run, the worst; the message begins with what the whole file has come to. */
function errorOf(end: BatchEnd, signal: AbortSignal): PixctlError | null {
  const { exit, worst, left, unsaved } = end;
  const tally = tallyOf(end);
  if (worst !== null) {
    const { line, outcome } = worst;
    const stop = stopOf(end, signal);
    const begun = isInterrupted(exit) ? begunBefore(end) : null;
    return new PixctlError(
      begun?.exit ?? exit,
      begun?.code ?? outcome.code,
      `${tally} ${nameOf(line)}: ${inWords(outcome)}${stop?.what ?? ''}${begun?.what ?? ''}`,
      {
        hint: `${nextStep(line, outcome)}${stop?.next ?? (left > 0 ? onward(outcome) : '')}`,
        httpStatus: outcome.httpStatus,
        serviceCode: outcome.serviceCode,
      },
    );
  }
  if (unsaved !== null) return unwritten(tally, unsaved);
  // What failed in an earlier run would have been told, had this one come to it.
  if (left === 0 && exit === 'ok') return null;
  const begun = begunBefore(end);
  return new PixctlError(
    begun?.exit ?? endedBy(signal.reason),
    begun?.code ?? 'INTERRUPTED',
    `Stopped between two lines${begun === null ? ', with nothing in flight' : ''}. ${tally}${begun?.what ?? ''}`,
    { hint: resume },
  );
}

const isInterrupted = (exit: ExitName): boolean => exit === 'interrupted' || exit === 'terminated';

interface Begun {
  readonly exit: ExitName;
  readonly code: string;
  readonly what: string;
}

/** What an earlier run has begun and not ended, for one that was stopped before it came to it; null: nothing. */
function begunBefore({ rows }: BatchEnd): Begun | null {
  const told = (row: ResultRow, words: string) =>
    ` Line ${row.line} (${row.idempotencyKey}), of an earlier run: ${words}.`;
  const unknown = rows.find(({ state }) => state === 'UNKNOWN' || state === 'SENDING');
  if (unknown !== undefined)
    return { exit: 'unknown', code: 'OUTCOME_UNKNOWN', what: told(unknown, 'money may have moved') };
  const accepted = rows.find(({ state }) => state === 'ACCEPTED');
  return accepted === undefined
    ? null
    : { exit: 'pending', code: 'PENDING', what: told(accepted, 'money is on its way') };
}

/** What ended the run, where that is not its worst line: with --continue-on-failed a lesser one that came later. */
function stopOf(
  { worst, stoppedAt, left }: BatchEnd,
  signal: AbortSignal,
): Record<'what' | 'next', string> | null {
  if (stoppedAt === null)
    return left > 0 && signal.aborted
      ? { what: ' The run was then stopped between two lines, with nothing in flight.', next: ` ${resume}` }
      : null;
  const { line, outcome } = stoppedAt;
  if (line === worst?.line) return null;
  return {
    what: ` The run stopped at line ${line.line} (${line.idempotencyKey}): ${inWords(outcome)}`,
    next: ` ${nameOf(line)}: ${nextStep(line, outcome)}`,
  };
}

const nameOf = ({ line, idempotencyKey }: BatchLine): string => `Line ${line} (${idempotencyKey})`;

const resume = 'Run the same file again: what is done is not sent twice.';

/** What a line waits for, the same file waits for again; what a person has to say is said of the line alone. */
function nextStep({ idempotencyKey }: BatchLine, { exit, code, hint, correction = '' }: Outcome): string {
  if (exit === 'pending' && code === 'PENDING')
    return 'Run the same file again: it follows this line to its end, then goes on.';
  if (code === 'BUSY') return 'Run the same file again later; --timeout makes it wait longer for each line.';
  if (code === 'POSSIBLE_DUPLICATE')
    return `If it is another withdrawal, send this line by itself: ${commandLine(['pixctl', 'withdraw', '--allow-duplicate', ...flagWords('--idempotency-key', idempotencyKey)])} with its amount and PIX key. Then run the same file again.${correction}`;
  if (code === 'REFUSED') return 'Once the reason is removed, run the same file again.';
  if (exit === 'pending') return `${hint ?? ''} Then run the same file again.`;
  if (isInterrupted(exit)) return resume;
  return (
    hint?.replace(runAgain, 'Run the same file again') ??
    `Exit ${exitCodes[exit].exit}: ${exitCodes[exit].next}. Then run the same file again.`
  );
}

/** What a file that stopped at a line that has ended waits for: it would stop there again. */
const onward = ({ exit }: Outcome): string =>
  exit === 'endedBadly' || exit === 'keyReused'
    ? ' The lines that were not reached are paid by the same file with --continue-on-failed.'
    : '';

function tallyOf({ rows, left }: BatchEnd): string {
  const done = rows.filter(({ state }) => state === 'COMPLETED');
  const sum = done.reduce((cents, { amount }) => cents + amount, 0);
  return `${done.length} of ${counted(rows.length, 'withdrawal')} completed (${formatCents(sum)}), ${left} not reached.`;
}

const resumable = 'The ledger knows what was paid: run the same file again to write the result file.';

const inOneLine = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** 74 would say that nothing was sent. */
const unwritten = (tally: string, cause: unknown): PixctlError =>
  new PixctlError(
    'unexpected',
    'RESULT_NOT_WRITTEN',
    `${tally} The result file could not be written: ${inOneLine(cause)}`,
    { hint: resumable, cause },
  );
