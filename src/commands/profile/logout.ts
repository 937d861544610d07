/** `logout`: the key goes, the profile stays, because its merchant label names the ledger's scope. */
import { keyName } from '../../config/stored.ts';
import { configError } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';

export async function logout(runtime: Runtime): Promise<void> {
  const output = await runtime.output();
  const config = await runtime.config();
  const name = runtime.globals.profile ?? (runtime.environment.PIXCTL_PROFILE || config.currentName());
  const profile = config.list().find((each) => each.name === name);
  if (profile === undefined) {
    throw configError(
      'UNKNOWN_PROFILE',
      name === null ? 'No profile is current.' : `There is no profile "${name}".`,
      'pixctl profile list shows them.',
    );
  }
  await config.deleteSecret(keyName(profile.name, profile.baseUrl));
  output.note(
    profile.keySource === 'none'
      ? `The profile ${profile.name} had no key.`
      : `Forgot the key of ${profile.name} (it was in the ${profile.keySource}). Revoke it in the dashboard if it is no longer needed.`,
  );
  if (runtime.environment.PIXCTL_API_KEY || runtime.environment.PIXCTL_API_KEY_FILE) {
    output.warn('PIXCTL_API_KEY or PIXCTL_API_KEY_FILE is set, and is still used.');
  }
}
