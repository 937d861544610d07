/** A file that the command line names, written whole or not at all. */
import { randomUUID } from 'node:crypto';
import { chmod, constants, copyFile, link, lstat, rm, stat, writeFile } from 'node:fs/promises';
import { replaceFile } from '../database/replace-file.ts';
import { siblingPath } from '../database/sibling-path.ts';
import { syncFolderOf } from '../database/sync-folder.ts';

interface AtomicWriteOptions {
  /** Whether an existing file is replaced; otherwise it stays, and the write fails with `EEXIST`. */
  readonly overwrite: boolean;
  /** Permissions of the file; by default those of the file that is replaced, or the usual ones. */
  readonly mode?: number;
}

/**
 * Writes the file so that a full disk, a kill or a power cut leaves the earlier file in place, never half of the new
 * one. A device, a link, or a file in a directory that this user may not write to, is written in place. Rejects with
 * the system's error.
 */
export async function writeFileAtomically(
  file: string,
  bytes: Uint8Array,
  { overwrite, mode }: AtomicWriteOptions,
): Promise<void> {
  const there = overwrite ? await lstat(file).catch(() => null) : null;
  // The target of a device or a link is not replaced.
  if (there?.isFile() === false) return writeInPlace(file, bytes, mode);
  const draft = siblingPath(file, `.${randomUUID()}.part`);
  try {
    const before = there === null ? undefined : there.mode & 0o777;
    await writeFile(draft, bytes, { mode: mode ?? before ?? 0o666, flag: 'wx', flush: true });
    // The umask may have removed permissions that the replaced file had.
    if (mode === undefined && before !== undefined) await chmod(draft, before);
    await (overwrite ? replaceFile(draft, file) : linkExclusively(draft, file));
    await syncFolderOf(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (there === null || !/^(EACCES|EPERM|EBUSY)$/.test(code ?? '')) throw error;
    await writeInPlace(file, bytes, mode);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Narrows a file that others may read before it holds what only its owner should; a device has nothing to narrow. */
async function writeInPlace(file: string, bytes: Uint8Array, mode: number | undefined): Promise<void> {
  const target = mode === undefined ? null : await stat(file).catch(() => null);
  if (mode !== undefined && target?.isFile() === true) await chmod(file, mode);
  await writeFile(file, bytes, { mode: mode ?? 0o666 });
}

/** Like `rename`, but never replaces another file: fails with `EEXIST`. */
async function linkExclusively(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    // The file system has no links.
    await copyFile(draft, file, constants.COPYFILE_EXCL);
  }
}
