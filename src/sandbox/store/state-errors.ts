/** Why a file cannot be a sandbox's state, in words: configuration errors (78). */
import { dirname } from 'node:path';
import { configError, PixctlError } from '../../errors.ts';
import { openFilesRemedy } from '../../flags/open-files.ts';
import { schemaVersion } from './schema.ts';
import { CorruptStateError, sqliteCode } from './store-failures.ts';

/** Says what about the database kept a sandbox from starting. Any other error is returned as it is. */
export const translateStartError = (file: string, error: unknown): unknown =>
  error instanceof CorruptStateError || sqliteCode(error) !== null ? translateOpenError(file, error) : error;

export function translateOpenError(file: string, error: unknown): unknown {
  if (error instanceof PixctlError) return error;
  if (error instanceof CorruptStateError) return corruptStateError(file, error);
  const { errcode, message } = error as { errcode?: number; message?: string };
  if (errcode === 26) return notAStateError(file);
  if (errcode === 5 || errcode === 261) {
    return configError(
      'STATE_IN_USE',
      `The file ${file} is in use by another sandbox.`,
      'Stop that one, or name another file.',
    );
  }
  const { code } = error as NodeJS.ErrnoException;
  const lacksFolder = code === 'ENOENT';
  return configError(
    'STATE_UNUSABLE',
    `The state ${file} cannot be opened: ${lacksFolder ? `there is no folder ${dirname(file)}` : message}`,
    lacksFolder
      ? 'Make that folder first, or name another file.'
      : (openFilesRemedy(code) ?? remedy(sqliteCode(error))),
    { cause: error },
  );
}

/** Says what to do about an SQLite error: there is no room, nothing can be opened, or the file is malformed. */
function remedy(code: number | null): string | undefined {
  if (code === 13) return 'Make room there, or name another file.';
  // SQLite does not tell which of the two.
  if (code === 14)
    return 'Check that its folder can be written to, and allow it to open more files (ulimit -n).';
  return code === 11 ? anotherFile : undefined;
}

const anotherFile = 'Name another file, or a snapshot of it (pixctl sandbox snapshot).';

const corruptStateError = (file: string, error: CorruptStateError) =>
  configError(
    'STATE_UNUSABLE',
    `The state ${file} cannot be read: ${error.message}. Nothing was changed.`,
    anotherFile,
    { cause: error },
  );

export const otherVersionError = (file: string, version: number) =>
  configError(
    'STATE_VERSION',
    `The file ${file} is a sandbox state of version ${version}; this pixctl reads version ${schemaVersion}. It was not changed.`,
    version > schemaVersion
      ? 'Use a newer pixctl, or another file.'
      : 'Use another file; older states are not converted.',
  );

/** One runs with every statement of ours, and may never end. */
export const foreignTriggerError = (file: string, name: string) =>
  configError(
    'STATE_UNUSABLE',
    `The state ${file} has a trigger that pixctl did not make (${name}). Nothing was changed.`,
    'Remove it (DROP TRIGGER), or name another file.',
  );

export const notAStateError = (file: string) =>
  configError(
    'NOT_A_STATE',
    `The file ${file} is not a sandbox state. It was not changed.`,
    'Name another file with --state.',
  );

export const replacedStateError = (file: string, log: string) =>
  configError(
    'STATE_UNUSABLE',
    `The file ${file} is a snapshot, and ${log} beside it is of another state, whose sandbox is running or was killed: they must not be mixed. Nothing was changed.`,
    `Stop that sandbox, if it is running, and remove ${log}; or name another file.`,
  );

export const mismatchedWalError = (file: string, log: string) =>
  configError(
    'STATE_UNUSABLE',
    `The state ${file} and ${log} beside it, left by a sandbox that was killed, do not match: one of them was replaced since, or is damaged. Nothing was changed.`,
    `If the state was replaced, remove ${log} to start from it; if not, name another file, or a snapshot of it.`,
  );

export const inMemoryError = () =>
  configError(
    'NOT_A_STATE',
    'A state is a file, and :memory: is not one.',
    'Name no state: without one everything is kept in memory.',
  );
