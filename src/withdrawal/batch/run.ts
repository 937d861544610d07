/**
 * Runs a batch: one line after another, because the service allows one withdrawal in flight. The ledger is what makes
 * it resumable. Each line is requested under its own key, so that running the same file again requests nothing that is
 * done, and the first unknown outcome stops everything behind it.
 */
import { type ExitName, PixctlError, storageError } from '../../errors.ts';
import type { Intent } from '../../ledger/intent.ts';
import * as outcomes from '../outcome/create-outcome.ts';
import type { Outcome } from '../outcome/outcome.ts';
import type { BatchLine } from './line.ts';
import type { ResultRow } from './result.ts';
import { outcomeRow, rowOf } from './row.ts';

export interface BatchSteps {
  /** Sends a line at most once and follows it until it has left flight. */
  readonly pay: (line: BatchLine) => Promise<Outcome>;
  /** What the ledger holds for a line. */
  readonly find: (line: BatchLine) => Promise<Intent | null>;
  /** Writes the rows durably. Called before a line is begun and after it has ended. */
  readonly save: (rows: readonly ResultRow[]) => Promise<void>;
  readonly onLine?: (line: BatchLine, outcome: Outcome, done: number) => void;
  /** Go on after lines that moved no money in this run: failed, refused, edited, a twin, against the policy. */
  readonly continueOnFailed: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface LineEnd {
  readonly line: BatchLine;
  readonly outcome: Outcome;
}

export interface BatchEnd {
  readonly rows: readonly ResultRow[];
  /** The worst that any line came to in this run. If all are well, a line that failed in an earlier run counts too. */
  readonly exit: ExitName;
  /** The worst outcome of this run and its line; null if every line reached is well. */
  readonly worst: LineEnd | null;
  /** The line whose ending stopped the run; null if none did. */
  readonly stoppedAt: LineEnd | null;
  /** How many lines were not reached, and were not brought to an end by an earlier run either. */
  readonly left: number;
  /** How many lines are well because an earlier run had sent them: this run sent nothing for them. */
  readonly replayed: number;
  /** Records what possible duplicates a person is told of by the end of this run (`Outcome.recordTold`). */
  readonly recordTold: () => Promise<void>;
  /** Why the rows could no longer be written, which stopped the run. The ledger has what was paid. */
  readonly unsaved: unknown;
}

/** Endings that leave nothing in flight and nothing in doubt. */
export const continuableExits: ReadonlySet<ExitName> = new Set([
  'endedBadly',
  'refused',
  'keyReused',
  'duplicate',
  'policy',
]);

/** States in which nothing more is sent for a line, so that its row stays as it is. */
const ended: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED']);

/** The worst first: what a person has to hear before anything else. */
const severity: readonly ExitName[] = [
  'unexpected',
  'unknown',
  'blocked',
  'storage',
  'config',
  'keyReused',
  'duplicate',
  'endedBadly',
  'refused',
  'policy',
  'auth',
  'pending',
  'later',
];

/**
 * Pays the lines in order until one stops the run, a signal comes or the rows cannot be written. Rejects if the ledger
 * or the result fails before the first line is begun (74, 78), and with whatever `pay` throws, which is a bug.
 * Everything else is in the result.
 */
export async function runBatch(lines: readonly BatchLine[], steps: BatchSteps): Promise<BatchEnd> {
  const rows: ResultRow[] = [];
  for (const line of lines) rows.push(rowOf(line, await steps.find(line).catch(rethrowLedgerError)));
  await steps.save(rows).catch((cause: unknown) => {
    throw notBegunError(cause);
  });
  const sheet = sheetOf(rows, steps.save);
  const { reached, replayed, worst, stoppedAt, held } = await payLines(lines, sheet, steps);
  if (sheet.unsaved === null) await sheet.save();
  // The rows that were not reached are as old as the start of the run, and another run may have paid them since.
  if ((await refreshRows(lines, rows, reached, steps.find)) && sheet.unsaved === null) await sheet.save();
  const unreached = rows.slice(reached);
  const left = unreached.filter(({ state }) => !ended.has(state)).length;
  const hasFailed = unreached.some(({ state }) => state === 'FAILED');
  const exit = worst?.outcome.exit ?? (hasFailed ? 'endedBadly' : 'ok');
  const recordTold = async () => {
    // Lines that the last words do not name are told of in the result alone.
    const inWords = [worst?.outcome, stoppedAt?.outcome];
    const told = held.filter((one) => sheet.unsaved === null || inWords.includes(one));
    for (const one of told) await one.recordTold?.();
  };
  return { rows, exit, worst, stoppedAt, left, replayed, recordTold, unsaved: sheet.unsaved };
}

/** What the lines that were reached came to. */
interface Course {
  reached: number;
  replayed: number;
  worst: LineEnd | null;
  stoppedAt: LineEnd | null;
  /** Outcomes that a person has to be told of. */
  readonly held: Outcome[];
}

async function payLines(lines: readonly BatchLine[], sheet: Sheet, steps: BatchSteps): Promise<Course> {
  const course: Course = { reached: 0, replayed: 0, worst: null, stoppedAt: null, held: [] };
  for (const line of lines) {
    if (steps.signal?.aborted) break;
    const outcome = await payLine(line, course.reached, sheet, steps);
    if (outcome === null) break;
    course.reached += 1;
    if (outcome.recordTold !== undefined) course.held.push(outcome);
    if (outcome.exit === 'ok' && outcome.replayed) course.replayed += 1;
    if (isWorse(outcome.exit, course.worst?.outcome.exit ?? 'ok')) course.worst = { line, outcome };
    steps.onLine?.(line, outcome, course.reached);
    if (!stops(outcome, steps)) continue;
    course.stoppedAt = { line, outcome };
    break;
  }
  return course;
}

/**
 * Pays a line, whose row is at `at`, and puts into the row what came of it. Null: that it is being paid could not be
 * written, so it was not begun.
 */
async function payLine(
  line: BatchLine,
  at: number,
  sheet: Sheet,
  { pay, find }: BatchSteps,
): Promise<Outcome | null> {
  const before = sheet.rows[at] ?? rowOf(line, null);
  if (!(await begin(sheet, at, before))) return null;
  const result = await pay(line).catch(async (cause: unknown) => {
    // Whatever broke, the file must not go on saying that this line is being paid.
    const row = await find(line).then(
      (found) => rowOf(line, found),
      () => before,
    );
    sheet.rows[at] = { ...row, reason: String(cause) };
    await sheet.save();
    throw cause;
  });
  const outcome = { ...result, message: ofLine(result.message) };
  sheet.rows[at] = outcomeRow(outcome, outcome.unread === true ? before : rowOf(line, outcome.intent));
  return outcome;
}

interface Sheet {
  readonly rows: ResultRow[];
  /** Why the last write of the rows failed; null if none has failed. */
  readonly unsaved: unknown;
  /** Writes the rows. Resolves with whether that worked. */
  save(): Promise<boolean>;
}

function sheetOf(rows: ResultRow[], save: BatchSteps['save']): Sheet {
  let unsaved: unknown = null;
  return {
    rows,
    get unsaved() {
      return unsaved;
    },
    save: () =>
      save(rows).then(
        () => true,
        (error: unknown) => {
          unsaved = error;
          return false;
        },
      ),
  };
}

/** Records that a line is being paid. Returns false if that cannot be written; the line is then not begun. */
async function begin(sheet: Sheet, at: number, before: ResultRow): Promise<boolean> {
  if (ended.has(before.state)) return true;
  sheet.rows[at] = { ...before, state: 'IN_PROGRESS' };
  if (await sheet.save()) return true;
  sheet.rows[at] = before;
  return false;
}

/** Narrows "nothing was sent" to the line: lines before it may have been sent, in this run too. */
const ofLine = (message: string): string =>
  message.replace(/(nothing was sent)(?: in this run)?/gi, '$1 for this line in this run');

const stops = ({ exit }: Outcome, { continueOnFailed }: BatchSteps): boolean =>
  exit !== 'ok' && !(continueOnFailed && continuableExits.has(exit));

/** Updates the rows from `at` on to what the ledger has now, as far as it can be read. True if any has changed. */
async function refreshRows(
  lines: readonly BatchLine[],
  rows: ResultRow[],
  at: number,
  find: BatchSteps['find'],
): Promise<boolean> {
  let changed = false;
  for (const [index, line] of lines.entries()) {
    const row = rows[index];
    if (index < at || row === undefined || ended.has(row.state)) continue;
    const found = await find(line).catch(() => undefined);
    if (found === undefined) break;
    const now = rowOf(line, found);
    changed ||= now.state !== row.state;
    rows[index] = now;
  }
  return changed;
}

/**
 * Rethrows a ledger failure from before the first line. Only a storage failure is reworded: a wrong ledger has words of
 * its own.
 */
function rethrowLedgerError(cause: unknown): never {
  throw cause instanceof PixctlError && cause.kind === 'storage' ? notBegunError(cause) : cause;
}

/** Turns a result that cannot be written before anything was sent into a plain storage error that says so. */
const notBegunError = (cause: unknown): unknown =>
  cause instanceof PixctlError
    ? storageError(`${outcomes.readFailureReason(cause)}; nothing was sent in this run`, {
        cause,
        hint: cause.hint,
      })
    : cause;

const rank = (exit: ExitName): number => {
  const at = severity.indexOf(exit);
  return at < 0 ? severity.length : at;
};

/** Whether a person has to hear of `one` before `other`. */
export const isWorse = (one: ExitName, other: ExitName): boolean =>
  one !== 'ok' && rank(one) < (other === 'ok' ? Infinity : rank(other));
