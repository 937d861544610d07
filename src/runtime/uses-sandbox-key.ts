/** Whether this run's key is a sandbox key. */
import { sandboxKeyPrefix } from '../contract/sandbox-key.ts';
import type { Runtime } from '../runtime.ts';

/** With a sandbox key no money moves; it works on this machine only. Finding out may open a keychain. */
export const usesSandboxKey = async (runtime: Runtime): Promise<boolean> =>
  (await (await runtime.config()).apiKey())?.startsWith(sandboxKeyPrefix) === true;
