/** `pixctl sandbox snapshot <file>` and `restore <file>`. */
import { storageError, usageError } from '../../../errors.ts';
import { inputLimits, isStdin } from '../../../flags/input.ts';
import { readInputFile } from '../../../runtime/input-file.ts';
import { writeFileAtomically } from '../../../runtime/write-file-atomically.ts';
import type { Runtime } from '../../../runtime.ts';
import { findWal } from '../../../sandbox/store/wal-file.ts';
import { openControl } from '../control.ts';
import { snapshotView } from './view.ts';

/** Writes a snapshot, never over an existing file unless told to. */
export async function snapshot(
  runtime: Runtime,
  file: string,
  { force = false }: { force?: boolean },
): Promise<void> {
  if (file === '-')
    throw usageError(
      'A snapshot is written to a file, not to stdout. Nothing was written.',
      './- is a file of that name.',
    );
  const output = await runtime.output(snapshotView);
  const log = findWal(file);
  if (log !== null)
    throw usageError(
      `Next to ${file} is ${log}, of a state whose sandbox is running or was killed; a snapshot there would be mixed with it. Nothing was written.`,
      'Name another file.',
    );
  const bytes = await (await openControl(runtime)).bytes('GET', '/snapshot');
  await writeFileAtomically(file, bytes, { overwrite: force, mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST'
        ? usageError(`The file ${file} exists; it was not changed.`, 'Name another file, or give --force.')
        : storageError(`The file ${file} could not be written (${error.code ?? error.message}).`, {
            cause: error,
            hint: 'Check its directory and the space on its disk, or name another file.',
          });
    },
  );
  await output.done(
    snapshotView,
    { file, bytes: bytes.byteLength },
    `The sandbox is saved in ${file} (${bytes.byteLength} bytes).`,
  );
}

/** `file` may be - for stdin. Throws a usage error (64) for the state of a sandbox that is running or was killed. */
export async function restore(runtime: Runtime, file: string): Promise<void> {
  const output = await runtime.output(snapshotView);
  const log = isStdin(file) ? null : findWal(file);
  if (log !== null)
    throw usageError(
      `Next to ${file} is ${log}: this is the state of a sandbox that is running or was killed, and its latest changes are only in there. Nothing was changed.`,
      'Take a snapshot of that sandbox, or start one on it with --state and stop it first.',
    );
  const bytes = await readInputFile(runtime, file, { atMost: inputLimits.snapshot });
  await (await openControl(runtime)).bytes('POST', '/restore', bytes);
  await output.done(
    snapshotView,
    { file, bytes: bytes.byteLength },
    `The sandbox is as it was when ${isStdin(file) ? 'this snapshot' : file} was taken; its clock did not go back.`,
  );
}
