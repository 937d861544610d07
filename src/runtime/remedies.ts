/** What the user of a profile can do about its key, in commands that lead to this profile and to no other. */
import type { Remedies } from '../api/remedies.ts';
import { type Config, environmentProfile, type Profile, sandboxProfile } from '../config/profile.ts';

export function remediesOf(profile: Profile, config: Config): Remedies {
  const login = loginOf(profile, config);
  return {
    missingKey: login === null ? 'Set PIXCTL_API_KEY.' : `Run ${login}, or set PIXCTL_API_KEY.`,
    refusedKey: variable[profile.keySource] ?? logIn(profile, login),
  };
}

/** The variable goes before the profile: a login would change nothing. */
const variable: Readonly<Record<string, string>> = {
  environment: 'Set PIXCTL_API_KEY to a valid key.',
  'key-file': 'Put a valid key into the file that PIXCTL_API_KEY_FILE names.',
};

const logIn = ({ name }: Profile, login: string | null): string =>
  `Log in with a ${name === sandboxProfile ? 'key of this sandbox' : 'valid key'}: ${login ?? 'pixctl login'}.`;

/** Null for an address that was given beside a stored profile: a login there would move the profile to it. */
function loginOf({ name, baseUrl }: Profile, config: Config): string | null {
  if (name === environmentProfile) return 'pixctl login';
  const stored = config.list().find((profile) => profile.name === name);
  return stored === undefined || stored.baseUrl === baseUrl ? `pixctl login --profile ${name}` : null;
}
