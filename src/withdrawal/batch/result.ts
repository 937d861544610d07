/**
 * The result file of a batch, which is a complete and true table at all times. Each version is written beside the old
 * one, synced and renamed over it, so that a crash never leaves half a file. The ledger stays the authority, and a
 * rerun rebuilds the file from it.
 */
import { open, readFile, readlink, realpath, rm, stat } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname, parse, resolve } from 'node:path';
import { replaceFile } from '../../database/replace-file.ts';
import { siblingPath } from '../../database/sibling-path.ts';
import { syncFolderOf } from '../../database/sync-folder.ts';
import { storageError, usageError } from '../../errors.ts';
import { escapeFormulas } from '../../flags/csv-formula.ts';
import { isDeviceName } from '../../flags/device-name.ts';
import { writableResult } from '../../flags/file-remedies.ts';
import type { Owner } from '../../owner/owner.ts';
import { draftOf } from './drafts.ts';

const resultColumns = ['idempotency_key', 'state', 'withdrawal_id', 'reason', 'amount', 'line'] as const;

export interface ResultRow {
  readonly idempotencyKey: string;
  /**
   * The ledger's state. `NOT_STARTED` if it holds nothing for the key, `IN_PROGRESS` while the line is being paid,
   * `KEY_REUSED` if the key belongs to another order or to a charge.
   */
  readonly state: string;
  readonly withdrawalId: string | null;
  readonly reason: string | null;
  /** Cents. */
  readonly amount: number;
  /** Line of the batch file, from 1; the header is line 1. */
  readonly line: number;
}

/** `march.csv` -> `march.result.csv`, in the same folder. */
export const resultPathOf = (batchPath: string): string =>
  siblingPath(batchPath, `${parse(batchPath).name}.result.csv`);

/** Refuses (64) a batch that does not come from a file: its result would be named after a pipe or a descriptor. */
export async function assertBatchIsFile(path: string): Promise<void> {
  const there = path === '-' ? null : await stat(path).catch(() => undefined);
  // A missing file and a directory are reported when they are read.
  if (there === undefined || there?.isDirectory()) return;
  if (there?.isFile() && !/^\/(?:dev\/(?!shm\/)|proc\/)/.test(resolve(path))) return;
  throw usageError(
    `The batch comes from ${path === '-' ? 'stdin' : path}, which is not a file, so its result cannot be stored beside it. Nothing was sent.`,
    'Name it with --result <file>: the same one in each run.',
  );
}

/**
 * Returns the file to write: where the path leads, so that a link stays a link. Refuses (64) to overwrite a file that
 * is not an earlier result, or to replace anything that is not a regular file.
 */
export async function checkResultPath(
  path: string,
  batchPath: string,
  system: NodeJS.Platform = platform(),
): Promise<string> {
  if (path === batchPath)
    throw usageError(
      'The result file would overwrite the batch file. Nothing was sent.',
      'Name another file with --result, or leave it out.',
    );
  const there = await stat(path).catch(() => null);
  // The rename would replace a device: run as root, even /dev/null.
  if (there?.isFile() === false || isDeviceName(path, system))
    throw usageError(
      `${path} is not a regular file, so no result can be written there. Nothing was sent.`,
      'Name a file with --result, or leave it out.',
    );
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw unwritable(path, error);
  });
  if (content.trim() === '' || content.startsWith(resultColumns.slice(0, 4).join(',')))
    return resolveLink(path);
  throw usageError(
    `The file ${path} exists and is not the result of a batch; it was not changed. Nothing was sent.`,
    'Name another file with --result.',
  );
}

/**
 * Returns the file itself, or where it will be: before the first run, a link may lead to a file that does not exist
 * yet.
 */
async function resolveLink(path: string): Promise<string> {
  const whole = await realpath(path).catch(() => null);
  if (whole !== null) return whole;
  const link = await readlink(path).catch(() => null);
  if (link === null) return path;
  // `..` in a link starts from the real directory, which the path may reach through another link.
  return resolveLink(resolve(await realpath(dirname(path)), link));
}

/** Replaces the file in one step. Throws `storageError` (74) on a disk error. */
export async function writeResult(path: string, rows: readonly ResultRow[], owner: Owner): Promise<void> {
  const { stringify } = await import('csv-stringify/sync');
  const text = stringify(rows.map(cellsOf), { header: true, columns: [...resultColumns] });
  const draft = draftOf(path, owner);
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await replaceFile(draft, path);
    await syncFolderOf(path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw unwritable(path, error);
  }
}

const unwritable = (path: string, cause: unknown) =>
  storageError(`The result file ${path} cannot be written: ${(cause as Error).message}`, {
    cause,
    hint: `The ledger knows what was paid: run the same batch again, ${writableResult()}.`,
  });

function cellsOf(row: ResultRow): Record<(typeof resultColumns)[number], string | number> {
  return {
    idempotency_key: row.idempotencyKey,
    state: row.state,
    withdrawal_id: ofService(row.withdrawalId ?? ''),
    reason: ofService(row.reason ?? ''),
    amount: row.amount,
    line: row.line,
  };
}

/**
 * Keeps text from the service from becoming a spreadsheet formula. The keys are the operator's own and stay as they
 * are.
 */
function ofService(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ');
  return escapeFormulas(plain);
}
