/** Bytes of a file or of stdin, exactly as they are. */
import { usageError } from '../../../errors.ts';
import { readInputFile } from '../../../runtime/input-file.ts';
import type { Runtime } from '../../../runtime.ts';
import type { SecretFlags } from '../secrets/secrets.ts';

/** `path` is a file, or `-` for stdin. Throws usage (64). */
export async function readPayload(runtime: Runtime, path: string, flags: SecretFlags): Promise<Uint8Array> {
  if (path === '-') refuseSecondRead(flags);
  return readInputFile(runtime, path);
}

/** Stdin can be read once only. Throws usage (64) where the secret comes from it. */
export function refuseSecondRead({ secretStdin }: SecretFlags): void {
  if (secretStdin === true)
    throw usageError('stdin cannot be both the secret and the payload. Nothing was sent.');
}
