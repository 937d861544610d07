/**
 * Whether a commit went into the file that others will open. A file that was deleted, moved or emptied
 * while it is open still takes writes, and they are gone with the process.
 */
import { type Stats, statSync } from 'node:fs';
import { PixctlError } from '../../errors.ts';

/** Called after a commit; throws `storage` (74), code `DATABASE_GONE`, when it is not kept. */
export function presenceOf(path: string): () => void {
  const file = placeOf(path);
  let log: string | null = null;
  return () => {
    const found = statSync(path, { throwIfNoEntry: false });
    const emptied = found?.size === 0;
    // The log is made at the first use, and stays while anybody has the database open.
    const logNow = placeOf(`${path}-wal`);
    log ??= logNow;
    if (!emptied && placeIn(found) === file && logNow === log) return;
    throw new PixctlError(
      'storage',
      'DATABASE_GONE',
      `the database ${path} was deleted, moved or emptied while it was in use: what was written last is not kept`,
      { hint: 'Put the file back, or start again with a new one.' },
    );
  };
}

/** Device and number of a file; null where there is none. */
const placeOf = (path: string): string | null => placeIn(statSync(path, { throwIfNoEntry: false }));
const placeIn = (found: Stats | undefined): string | null =>
  found === undefined ? null : `${found.dev} ${found.ino}`;
