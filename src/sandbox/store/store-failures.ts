/** Distinguishes what keeps a state from being read or written (a full or failing disk) from a bug of ours. */

/** Returns SQLite's code for an error, without the details in its higher bits; null if the error is not SQLite's. */
export function sqliteCode(error: unknown): number | null {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code & 0xff : null;
}

/** SQLite's codes for mistakes of our statements rather than of the disk: a constraint, misuse and the like. */
const ownErrorCodes = [1, 2, 12, 18, 19, 20, 21, 25];

/** Whether SQLite complains about the disk, the file or memory: no change to this program would help. */
export function isStorageFailure(error: unknown): error is Error {
  const code = sqliteCode(error);
  return error instanceof Error && code !== null && !ownErrorCodes.includes(code);
}

/** Thrown for a state that opens but holds something that no sandbox has written. */
export class CorruptStateError extends Error {
  override readonly name = 'CorruptState';

  constructor(where: string, options?: ErrorOptions) {
    super(`${where} is not as pixctl writes it (edited by hand, or damaged)`, options);
  }
}

/** What to do about such a record when the running sandbox meets it. */
export const corruptStateHint =
  'stop the sandbox and repair or delete that record, or start it with another file or a snapshot of this one';
