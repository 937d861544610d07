/** `pixctl withdrawal batch <file>`: pays every line at most once, and can be resumed with the same file. */
import { resolve } from 'node:path';
import { formatCents } from '../../../contract/money.ts';
import { messageOf, PixctlError, qualifyNothingSent } from '../../../errors.ts';
import { inputLimits } from '../../../flags/input.ts';
import { untilShown } from '../../../runtime/completed-action.ts';
import { missingYesError } from '../../../runtime/confirm.ts';
import { readInputFile } from '../../../runtime/input-file.ts';
import type { Runtime } from '../../../runtime.ts';
import { formatCount } from '../../../terminal/format-count.ts';
import { sweepDrafts } from '../../../withdrawal/batch/drafts.ts';
import { type BatchFile, readBatchFile } from '../../../withdrawal/batch/file.ts';
import type { BatchLine } from '../../../withdrawal/batch/line.ts';
import {
  assertBatchIsFile,
  checkResultPath,
  resultPathOf,
  writeResult,
} from '../../../withdrawal/batch/result.ts';
import { runBatch } from '../../../withdrawal/batch/run.ts';
import { fundsHint } from '../funds.ts';
import { merchantSuffix } from '../merchant-suffix.ts';
import { openToSend } from '../open-to-send.ts';
import { runPreflightChecks } from '../preflight-checks.ts';
import { errorOf, resumeHint, tallyOf } from './batch-error.ts';
import { predictBreach } from './predict-breach.ts';
import { openProgress } from './progress.ts';
import { createSteps } from './steps.ts';
import { batchLineView, batchSummaryView, summaryOf } from './view.ts';

export interface BatchFlags {
  readonly result?: string;
  readonly continueOnFailed?: boolean;
}

export async function batch(runtime: Runtime, path: string, flags: BatchFlags): Promise<void> {
  const rehearsal = runtime.globals.dryRun === true;
  const output = await (rehearsal ? runtime.output(batchLineView) : runtime.output(batchSummaryView));
  // Before it is read, because a pipe can be read only once.
  if (!rehearsal && flags.result === undefined) await assertBatchIsFile(path);
  const { lines, doubt } = await readWhole(runtime, path);
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  output.note(
    `${path}: ${formatCount(lines.length, 'withdrawal')}, ${formatCents(total)} in all; the service adds its fee to each.`,
  );
  if (doubt !== undefined) output.warn(`${path}:${doubt.line}: ${doubt.reason}`);
  warnOfRepeatedLines(lines, output.warn);
  const resultPath = flags.result ?? resultPathOf(path);
  const resultFile = await checkResultPath(resolve(resultPath), resolve(path));
  if (rehearsal) {
    await output.each(batchLineView, lines);
    return output.note('Dry run: the file is good. Nothing was sent.');
  }

  await confirmBatch(runtime, lines, total, flags);
  const protocol = await qualifyNothingSent(() => openToSend(runtime, lines));
  const steps = await createSteps(runtime, protocol);
  const { owners } = protocol.dependencies;
  await sweepDrafts(resultFile, owners);
  // Last, because a spinner that nobody stops keeps the process alive.
  const progress = openProgress(output, lines.length);
  const end = await runBatch(lines, {
    ...steps,
    save: (rows) => writeResult(resultFile, rows, owners.self),
    onLine: progress.line,
    continueOnFailed: flags.continueOnFailed === true,
    signal: runtime.signal,
  }).finally(progress.stop);
  if (end.unsaved === null) output.note(`Result: ${resultPath}`);
  // Without a worse outcome, it is the error itself (`errorOf`).
  else if (end.worst !== null)
    output.warn(`${resultPath} is not complete: ${messageOf(end.unsaved)}. ${resumeHint}`);
  if (end.replayed > 0)
    output.note(
      `${end.replayed} of ${formatCount(lines.length, 'withdrawal')} had been sent by an earlier run, and not again in this one.`,
    );
  const funds = end.worst === null ? '' : await fundsHint(runtime, end.worst.outcome);
  const error = errorOf(end, runtime.signal, funds);
  const summary = summaryOf({ file: path, result: resultPath, total, exitCode: error?.exit ?? 0 }, end);
  runtime.flight.completed = { what: tallyOf(end), hint: resumeHint };
  await untilShown(output, output.show(batchSummaryView, summary), error);
  if (error === null) return;
  // The error itself says all that was done, and its code is that of its line, so `completed` must not replace it.
  runtime.flight.completed = null;
  throw error;
}

/** Reads the file and judges it as a whole: 65 with every bad line if any is bad. */
async function readWhole(runtime: Runtime, path: string): Promise<BatchFile> {
  const bytes = await readDespiteSignals(runtime, path);
  const file = await readBatchFile(bytes);
  const { bad } = file;
  if (bad.length === 0) return file;
  const output = await runtime.output();
  for (const { line, reason } of bad) output.warn(`${path}:${line}: ${reason}`);
  // A line without columns has another fault than a cell.
  const columns = new Set(bad.flatMap((fault) => fault.columns ?? ['']));
  throw new PixctlError(
    'data',
    'BATCH_FILE',
    `The file ${path} has ${formatCount(bad.length, 'bad line')}: ${firstOf(bad.map(({ line }) => line))}. Nothing was sent.`,
    {
      hint: 'Each is shown above with its reason; correct the file and run it again.',
      field: columns.size === 1 ? [...columns][0] || undefined : undefined,
    },
  );
}

/** The first ten numbers, and how many more there are: a sentence is for people. */
const firstOf = (all: readonly number[]): string =>
  `${all.slice(0, 10).join(', ')}${all.length > 10 ? ` and ${all.length - 10} more` : ''}`;

/** Money may be on its way for lines that an earlier run began, and only the file says which they are. */
async function readDespiteSignals(runtime: Runtime, path: string): Promise<Uint8Array> {
  const { warn } = await runtime.output();
  const say = () =>
    warn(
      `Still reading ${path}, which says what an earlier run may have begun; the run stops after that. A second signal ends it at once.`,
    );
  runtime.signal.addEventListener('abort', say, { once: true });
  try {
    return await readInputFile(runtime, path, { despiteSignals: true, atMost: inputLimits.batch });
  } finally {
    runtime.signal.removeEventListener('abort', say);
  }
}

async function confirmBatch(
  runtime: Runtime,
  lines: readonly BatchLine[],
  total: number,
  { continueOnFailed = false }: BatchFlags,
): Promise<void> {
  if (runtime.globals.yes === true) return;
  const [prompter, config] = await Promise.all([runtime.prompter(), runtime.config()]);
  if (!prompter.canAsk) throw missingYesError('sent');
  const keys = lines.map(({ idempotencyKey }) => idempotencyKey);
  await qualifyNothingSent(() =>
    runPreflightChecks(runtime, { keys, orders: lines }, (find) =>
      predictBreach(runtime, lines, find, continueOnFailed),
    ),
  );
  const profile = config.profile();
  const whose = `profile "${profile.name}"${merchantSuffix(profile, config.list().length > 1)} at ${profile.baseUrl}`;
  const message = `Send ${formatCount(lines.length, 'withdrawal')}, ${formatCents(total)} in all, from ${whose}? Type the count to confirm:`;
  if ((await prompter.input({ message })).trim() === String(lines.length)) return;
  throw new PixctlError('policy', 'NOT_CONFIRMED', 'Not confirmed. Nothing was sent.');
}

/** Warns of the same amount to the same PIX key twice, which is allowed but worth a look. */
function warnOfRepeatedLines(lines: readonly BatchLine[], warn: (text: string) => void): void {
  const seen = new Map<string, number>();
  for (const { line, amount, pixKey } of lines) {
    const twin = seen.get(`${amount} ${pixKey}`);
    if (twin === undefined) seen.set(`${amount} ${pixKey}`, line);
    else warn(`Lines ${twin} and ${line} pay the same amount to the same PIX key; both are sent.`);
  }
}
