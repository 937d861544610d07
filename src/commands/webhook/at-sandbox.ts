/** Whether a run speaks to a sandbox. */
import { isLoopback } from '../../contract/loopback.ts';
import { sandboxKeyPrefix } from '../../contract/sandbox-key.ts';
import type { Runtime } from '../../runtime.ts';

/** A sandbox runs on this machine and hands out keys of its own kind. False without a profile. */
export async function isAtSandbox(runtime: Runtime): Promise<boolean> {
  const config = await runtime.config();
  try {
    const key = await config.apiKey();
    return (
      key?.startsWith(sandboxKeyPrefix) === true && isLoopback(new URL(config.profile().baseUrl).hostname)
    );
  } catch {
    // No profile at all: the caller says what is missing.
    return false;
  }
}
