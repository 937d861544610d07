/** Finds out whether a run talks to a sandbox, and to which. */
import { createHash } from 'node:crypto';
import { isLoopback } from '../../contract/loopback.ts';
import { sandboxKeyPrefix } from '../../contract/sandbox-key.ts';
import type { Runtime } from '../../runtime.ts';

/**
 * Identifies the sandbox. One runs on this machine and hands out keys of its own kind, which its state keeps, so a
 * digest of the key recognises it at another port. Null if it is none, or there is no profile.
 */
export async function identifySandbox(runtime: Runtime): Promise<string | null> {
  const config = await runtime.config();
  try {
    const key = await config.apiKey();
    const isSandbox =
      key?.startsWith(sandboxKeyPrefix) === true && isLoopback(new URL(config.profile().baseUrl).hostname);
    return isSandbox ? createHash('sha256').update(key).digest('hex').slice(0, 16) : null;
  } catch {
    // No profile at all. The caller says what is missing.
    return null;
  }
}
