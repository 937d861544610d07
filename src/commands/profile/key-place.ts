/** Refuses to store a key that no call would send: a sandbox's key for the service, or the service's for a sandbox. */
import { keyFor, parseTarget } from '../../api/target.ts';
import { sandboxProfile } from '../../config/profile.ts';
import { sandboxKeyPrefix } from '../../contract/sandbox-key.ts';
import { configError } from '../../errors.ts';
import { sandboxOriginsOf } from '../../runtime/open-client.ts';
import type { Runtime } from '../../runtime.ts';

/** Throws `config` (78) before the key is sent or stored anywhere. */
export async function refuseUnusableKey(
  runtime: Runtime,
  { name, baseUrl, key }: { readonly name: string; readonly baseUrl: string; readonly key: string },
): Promise<void> {
  keyFor(parseTarget(baseUrl), key, await sandboxOriginsOf(runtime));
  if (name !== sandboxProfile || key.startsWith(sandboxKeyPrefix)) return;
  throw configError(
    'REAL_KEY_TO_SANDBOX',
    `The profile ${sandboxProfile} is for a sandbox, and this is not a sandbox key. Nothing was sent.`,
    'Give the service a profile of its own: --profile <name>.',
  );
}
