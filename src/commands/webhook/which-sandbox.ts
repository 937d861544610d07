/** Whether a run speaks to a sandbox, and to which. */
import { createHash } from 'node:crypto';
import { isLoopback } from '../../contract/loopback.ts';
import { sandboxKeyPrefix } from '../../contract/sandbox-key.ts';
import type { Runtime } from '../../runtime.ts';

/**
 * A sandbox runs on this machine and hands out keys of its own kind, which its state keeps: a digest of the key knows
 * it again at another port. Null where it is none, or where there is no profile.
 */
export async function whichSandbox(runtime: Runtime): Promise<string | null> {
  const config = await runtime.config();
  try {
    const key = await config.apiKey();
    const isSandbox =
      key?.startsWith(sandboxKeyPrefix) === true && isLoopback(new URL(config.profile().baseUrl).hostname);
    return isSandbox ? createHash('sha256').update(key).digest('hex').slice(0, 16) : null;
  } catch {
    // No profile at all: the caller says what is missing.
    return null;
  }
}
