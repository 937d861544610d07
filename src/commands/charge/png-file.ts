/** `--png <file>`: writes the picture as the service made it, never over an existing file. */
import { access, constants, lstat, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Charge } from '../../contract/charge.ts';
import { PixctlError, usageError } from '../../errors.ts';
import { commandLine } from '../../flags/command-line.ts';
import { isDeviceName } from '../../flags/device-name.ts';
import { unwritableFileError } from '../../flags/file-remedies.ts';
import { writeFileAtomically } from '../../runtime/write-file-atomically.ts';
import type { Runtime } from '../../runtime.ts';
import { pngBytes } from './check.ts';

/**
 * Makes sure that the file can be written. Call it before anything is sent. Throws a usage error (64) if it cannot, or
 * if it exists and nobody agrees to replace it.
 */
export async function reserveFile(runtime: Runtime, path: string): Promise<void> {
  if (path === '-')
    throw usageError('--png takes the name of a file. Nothing was sent.', 'For a file named - write ./-');
  if (isDeviceName(path))
    throw usageError(
      `The path ${path} is a Windows device: --png takes the name of a file. Nothing was sent.`,
    );
  if (path.endsWith('/'))
    throw usageError(`The path ${path} is a directory: --png takes the name of a file. Nothing was sent.`);
  const there = await lstat(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return null;
    throw unwritableFileError(path, cause);
  });
  const place = there === null ? dirname(path) : path;
  await access(place, constants.W_OK).catch((cause: unknown) => {
    throw unwritableFileError(path, cause);
  });
  if (there === null && !(await stat(place)).isDirectory())
    throw unwritableFileError(path, { code: 'ENOTDIR' });
  if (there?.isDirectory() === true)
    throw usageError(`The path ${path} is a directory: --png takes the name of a file. Nothing was sent.`);
  if (there === null || runtime.globals.yes === true) return;
  const prompter = await runtime.prompter();
  if (prompter.canAsk && (await prompter.confirm({ message: `${path} exists. Overwrite it?` }))) return;
  throw usageError(
    `The file ${path} exists. Nothing was sent.`,
    'Name another file, or give --yes to overwrite it.',
  );
}

/**
 * Writes the picture, once the charge itself has been shown. If that fails, an earlier picture stays and it throws 1,
 * because 74 would say that nothing was sent. If the charge has no picture, it warns. Returns whether it wrote.
 */
export async function writePng(runtime: Runtime, path: string, charge: Charge): Promise<boolean> {
  const output = await runtime.output();
  const bytes = pngBytes(charge.imageBase64 ?? '');
  if (bytes === null) {
    output.warn(`The picture of ${charge.id} is not a PNG; ${path} was not written.`);
    return false;
  }
  try {
    await writeFileAtomically(path, bytes, { overwrite: true });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new PixctlError(
      'unexpected',
      'PNG_NOT_WRITTEN',
      `The charge ${charge.id} exists, but ${path} could not be written (${code}).`,
      { hint: `${commandLine(['pixctl', 'charge', 'qr', charge.id])} --png <another file>`, cause },
    );
  }
  output.note(`Wrote ${path}.`);
  return true;
}
