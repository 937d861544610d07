/** `logout`: removes the key and keeps the profile, because its merchant label names the ledger's scope. */
import { unknownProfile } from '../../config/resolve-profile.ts';
import { keyName } from '../../config/stored-config.ts';
import { configError } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import { profileView } from './view.ts';

/** Throws `config` (78) if there is no such profile, or none is current. A key in the environment stays in use. */
export async function logout(runtime: Runtime): Promise<void> {
  const output = await runtime.output(profileView);
  const config = await runtime.config();
  const name = runtime.globals.profile ?? (runtime.environment.PIXCTL_PROFILE || config.currentName());
  const profiles = config.list();
  const profile = profiles.find((each) => each.name === name);
  if (profile === undefined) {
    if (name !== null)
      throw unknownProfile(
        name,
        profiles.map((each) => each.name),
        'changed',
      );
    throw configError(
      'NO_PROFILE',
      'No profile is current. Nothing was changed.',
      'pixctl logout --profile <name>; pixctl profile list shows them.',
    );
  }
  await config.deleteSecret(keyName(profile.name, profile.baseUrl));
  await output.done(
    profileView,
    { ...profile, keySource: 'none', current: profile.name === config.currentName() },
    profile.keySource === 'none'
      ? `The profile ${profile.name} had no key.`
      : `Forgot the key of ${profile.name} (it was in the ${profile.keySource}). Revoke it in the dashboard if it is no longer needed.`,
  );
  if (runtime.environment.PIXCTL_API_KEY || runtime.environment.PIXCTL_API_KEY_FILE) {
    output.warn('PIXCTL_API_KEY or PIXCTL_API_KEY_FILE is set, and is still used.');
  }
}
