/** Reads the bytes of a file or of stdin, exactly as they are. */
import { inputLimits, isStdin } from '../../../flags/input.ts';
import { readInputFile } from '../../../runtime/input-file.ts';
import type { Runtime } from '../../../runtime.ts';
import { refuseSecondRead, type SecretFlags } from '../secrets/secrets.ts';

/** Reads the payload. `path` is a file, or `-` for stdin. Throws usage (64). */
export async function readPayload(runtime: Runtime, path: string, flags: SecretFlags): Promise<Uint8Array> {
  if (isStdin(path)) refuseSecondRead(flags);
  return readInputFile(runtime, path, { atMost: inputLimits.body });
}
