/** Why a file cannot be a sandbox's state, in words: configuration errors (78). */
import { dirname } from 'node:path';
import { configError, PixctlError } from '../../errors.ts';
import { schemaVersion } from './schema.ts';
import { OddState } from './unusable.ts';

/** What of the database kept a sandbox from starting, in words; whatever else it was, as it is. */
export const whyUnusable = (file: string, error: unknown): unknown =>
  error instanceof OddState || typeof (error as { errcode?: unknown } | null)?.errcode === 'number'
    ? explain(file, error)
    : error;

/** @param log that lay beside the file, as far as that is known */
export function explain(file: string, error: unknown, log: string | null = null): unknown {
  if (error instanceof PixctlError) return error;
  if (error instanceof OddState) return odd(file, error);
  const { errcode, message } = error as { errcode?: number; message?: string };
  if (errcode === 26) return notAState(file);
  if (errcode === 5 || errcode === 261) {
    return configError(
      'STATE_IN_USE',
      `The file ${file} is in use by another sandbox.`,
      'Stop that one, or name another file.',
    );
  }
  const lacksFolder = (error as NodeJS.ErrnoException).code === 'ENOENT';
  return configError(
    'STATE_UNUSABLE',
    `The state ${file} cannot be opened: ${lacksFolder ? `there is no folder ${dirname(file)}` : message}`,
    lacksFolder ? 'Make that folder first, or name another file.' : damaged(errcode, log),
    { cause: error },
  );
}

/** What to do about a file that SQLite calls malformed. */
function damaged(errcode: number | undefined, log: string | null): string | undefined {
  if (errcode === undefined || (errcode & 0xff) !== 11) return undefined;
  const other = 'Name another file, or a snapshot of it (pixctl sandbox snapshot).';
  return log === null
    ? other
    : `It was opened together with ${log}, which is used up now. If the file had been replaced after a sandbox was killed, replace it once more and start again. ${other}`;
}

const odd = (file: string, error: OddState) =>
  configError(
    'STATE_UNUSABLE',
    `The state ${file} cannot be read: ${error.message}. Nothing was changed.`,
    'Name another file, or a snapshot of it (pixctl sandbox snapshot).',
    { cause: error },
  );

export const otherVersion = (file: string, version: number) =>
  configError(
    'STATE_VERSION',
    `The file ${file} is a sandbox state of version ${version}; this pixctl reads version ${schemaVersion}. It was not changed.`,
    version > schemaVersion
      ? 'Use a newer pixctl, or another file.'
      : 'Use another file; older states are not converted.',
  );

export const notAState = (file: string) =>
  configError(
    'NOT_A_STATE',
    `The file ${file} is not a sandbox state. It was not changed.`,
    'Name another file with --state.',
  );

export const replaced = (file: string, log: string) =>
  configError(
    'STATE_UNUSABLE',
    `The file ${file} is a snapshot, and ${log} beside it is of another state, whose sandbox runs or was killed: they must not be mixed. Nothing was changed.`,
    `Stop that sandbox, if it runs, and remove ${log}; or name another file.`,
  );

export const inMemory = () =>
  configError(
    'NOT_A_STATE',
    'A state is a file, and :memory: is none.',
    'Name no state: without one everything is kept in memory.',
  );
