/** `pixctl sandbox snapshot <file>` and `restore <file>`. */
import { randomUUID } from 'node:crypto';
import { constants, copyFile, link, lstat, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { storageError, usageError } from '../../errors.ts';
import { readInputFile } from '../../runtime/input-file.ts';
import type { Runtime } from '../../runtime.ts';
import { controlOf } from './control.ts';
import { snapshotView } from './view.ts';

/** Never writes over a file unless told to. */
export async function snapshot(
  runtime: Runtime,
  file: string,
  { force = false }: { force?: boolean },
): Promise<void> {
  const output = await runtime.output();
  output.check(snapshotView);
  const bytes = await (await controlOf(runtime)).bytes('GET', '/snapshot');
  await write(file, bytes, force).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST'
      ? usageError(`The file ${file} exists; it was not changed.`, 'Name another file, or give --force.')
      : storageError(`The file ${file} could not be written: ${error.message}.`, { cause: error });
  });
  await output.done(
    snapshotView,
    { file, bytes: bytes.byteLength },
    `The sandbox is saved in ${file} (${bytes.byteLength} bytes).`,
  );
}

/** Whole or not at all, where it is a file: an earlier snapshot stays until the new one is written, and a kill leaves no half. */
async function write(file: string, bytes: Uint8Array, force: boolean): Promise<void> {
  const there = force ? await lstat(file).catch(() => null) : null;
  // What a device or a link leads to is not replaced.
  if (there?.isFile() === false) return writeFile(file, bytes);
  const draft = join(dirname(file), `snapshot-${randomUUID()}.part`);
  try {
    await writeFile(draft, bytes, { mode: 0o600, flag: 'wx' });
    await (force ? rename(draft, file) : giveName(draft, file));
  } finally {
    await rm(draft, { force: true });
  }
}

/** As `rename`, but never over another: fails with `EEXIST`. */
async function giveName(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    // A file system without links.
    await copyFile(draft, file, constants.COPYFILE_EXCL);
  }
}

export async function restore(runtime: Runtime, file: string): Promise<void> {
  const output = await runtime.output();
  output.check(snapshotView);
  const bytes = await readInputFile(runtime, file);
  await (await controlOf(runtime)).bytes('POST', '/restore', bytes);
  await output.done(
    snapshotView,
    { file, bytes: bytes.byteLength },
    `The sandbox is as it was when ${file} was taken; its clock did not go back.`,
  );
}
