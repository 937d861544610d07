/**
 * Whether a commit went into the files that others will open. A file that was deleted, moved or emptied while open
 * still accepts writes, but they vanish with the process.
 */
import { closeSync, openSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { platform } from 'node:os';
import { PixctlError, storageError } from '../../errors.ts';
import { logOf } from './file.ts';

interface Presence {
  /** Call it after a commit. Throws `storage` (74), with code `DATABASE_GONE` if the commit will not last. */
  assert(): void;
  close(): void;
}

/** `ifGone`: what to do in that case, for the error. Throws `storage` (74) too. */
export function presenceOf(path: string, ifGone: string): Presence {
  const file = placeOf(path);
  let log: Log | null = null;
  return {
    assert() {
      const found = seen(path);
      const emptied = found?.size === 0;
      // The log is made on first use, and stays while anybody has the database open.
      log ??= watchLog(logOf(path));
      if (!emptied && placeIn(found) === file && (log === null || log.isThere())) return;
      throw new PixctlError(
        'storage',
        'DATABASE_GONE',
        `the database ${path} was deleted, moved or emptied while it was in use: what was written last is lost`,
        { hint: ifGone },
      );
    },
    close() {
      log?.close();
      log = null;
    },
  };
}

/** A failing disk does not tell whether the file is still there. */
function seen(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw storageError(
      `the database ${path} could not be looked for: ${(cause as NodeJS.ErrnoException).code}`,
      { cause, hint: 'Check the disk, and that you may enter the directories above the file.' },
    );
  }
}

interface Log {
  isThere(): boolean;
  close(): void;
}

/** Watches the log; null if there is none. */
function watchLog(path: string): Log | null {
  const place = placeOf(path);
  if (place === null) return null;
  return nameWatch(path) ?? { isThere: () => placeOf(path) === place, close() {} };
}

/**
 * Asks Linux what the open log is called now. `stat` would tell as well, but once a file's times have been read, its
 * next write gets new ones (since Linux 6.13), and every flush of the log would have to write them too: a third more
 * time for each.
 */
function nameWatch(path: string): Log | null {
  if (platform() !== 'linux') return null;
  const open = attempt(() => openSync(path, 'r'));
  if (open === null) return null;
  const nameNow = () => attempt(() => readlinkSync(`/proc/self/fd/${open}`));
  const name = nameNow();
  if (name !== null) return { isThere: () => nameNow() === name, close: () => closeSync(open) };
  closeSync(open);
  return null;
}

/** Null if there is no `/proc`, or no more files may be opened. */
function attempt<T>(ask: () => T): T | null {
  try {
    return ask();
  } catch {
    return null;
  }
}

/** Device and inode of a file; null if there is none. */
const placeOf = (path: string): string | null => placeIn(seen(path));
const placeIn = (found: Stats | undefined): string | null =>
  found === undefined ? null : `${found.dev} ${found.ino}`;
