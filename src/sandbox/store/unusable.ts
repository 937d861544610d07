/** What keeps a state from being read or written (a full disk, a failing one), told from a bug of ours. */

/** SQLite's code of an error, without the details in its higher bits; null for an error that is not SQLite's. */
export function sqliteCode(error: unknown): number | null {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code & 0xff : null;
}

/** SQLite's codes for what a statement of ours did wrong, and not the disk: a constraint, misuse and the like. */
const ofOurs = [1, 2, 12, 18, 19, 20, 21, 25];

/** True for what SQLite says of the disk, of the file or of memory: no change of this program would help. */
export function isUnusable(error: unknown): error is Error {
  const code = sqliteCode(error);
  return error instanceof Error && code !== null && !ofOurs.includes(code);
}

/** A state that opens, and in which something is that no sandbox has written. */
export class OddState extends Error {
  override readonly name = 'OddState';

  constructor(where: string, options?: ErrorOptions) {
    super(`${where} is not as pixctl writes it (edited by hand, or damaged)`, options);
  }
}

/** What to do about a record that is met while the sandbox runs. */
export const oddStateHint =
  'stop the sandbox and repair or delete that record, or start it with another file or a snapshot of this one';
