/** Bytes of a file or of stdin, exactly as they are. */
import { readFile } from 'node:fs/promises';
import { usageError } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import type { SecretFlags } from './secrets.ts';

/** `path` is a file, or `-` for stdin. Throws usage (64). */
export async function readPayload(runtime: Runtime, path: string, flags: SecretFlags): Promise<Uint8Array> {
  if (path === '-') {
    if (flags.secretStdin === true) throw usageError('stdin cannot be both the secret and the payload.');
    return runtime.io.readInput();
  }
  try {
    return await readFile(path);
  } catch (cause) {
    throw usageError(`The file ${path} cannot be read (${(cause as NodeJS.ErrnoException).code}).`);
  }
}
