/** `pixctl sandbox snapshot <file>` and `restore <file>`. */
import { storageError, usageError } from '../../../errors.ts';
import { readInputFile } from '../../../runtime/input-file.ts';
import { writeWhole } from '../../../runtime/whole-file.ts';
import type { Runtime } from '../../../runtime.ts';
import { logBeside } from '../../../sandbox/store/log-beside.ts';
import { controlOf } from '../control.ts';
import { snapshotView } from './view.ts';

/** Writes a snapshot, never over an existing file unless told to. */
export async function snapshot(
  runtime: Runtime,
  file: string,
  { force = false }: { force?: boolean },
): Promise<void> {
  const output = await runtime.output(snapshotView);
  const log = logBeside(file);
  if (log !== null)
    throw usageError(
      `Next to ${file} is ${log}, of a state whose sandbox is running or was killed; a snapshot there would be mixed with it. Nothing was written.`,
      'Name another file.',
    );
  const bytes = await (await controlOf(runtime)).bytes('GET', '/snapshot');
  await writeWhole(file, bytes, { over: force, mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
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

export async function restore(runtime: Runtime, file: string): Promise<void> {
  const output = await runtime.output(snapshotView);
  const log = file === '-' ? null : logBeside(file);
  if (log !== null)
    throw usageError(
      `Next to ${file} is ${log}: this is the state of a sandbox that is running or was killed, and its latest changes are only in there. Nothing was changed.`,
      'Take a snapshot of that sandbox, or start one on it with --state and stop it first.',
    );
  const bytes = await readInputFile(runtime, file);
  await (await controlOf(runtime)).bytes('POST', '/restore', bytes);
  await output.done(
    snapshotView,
    { file, bytes: bytes.byteLength },
    `The sandbox is as it was when ${file} was taken; its clock did not go back.`,
  );
}
