/** What the user of a profile can do about its key and its address, as commands that affect just this profile. */
import { proxyVariable } from '../api/proxy.ts';
import { defaultRemedies, type Remedies } from '../api/remedies.ts';
import { isSameAddress } from '../config/base-url.ts';
import { type Config, environmentProfile, type Profile, sandboxProfile } from '../config/profile.ts';
import { isLoopback } from '../contract/loopback.ts';
import type { Environment } from '../flags/environment.ts';

/** The hints for the profile of this run, as commands that can be pasted. */
export function remediesOf(
  profile: Profile,
  config: Pick<Config, 'list'>,
  environment: Environment,
): Remedies {
  const { name, baseUrl, keySource } = profile;
  const variable = keyVariables[keySource];
  const stored = config.list();
  const ofThisName = stored.find((it) => it.name === name);
  const isKept = ofThisName !== undefined && isSameAddress(ofThisName.baseUrl, baseUrl);
  const login = loginOf(profile, isKept || ofThisName === undefined);
  const proxy = baseUrl.startsWith('https:') ? proxyVariable(environment) : null;
  const isSandbox = stored.some((it) => it.name === sandboxProfile && isLocalSandbox(it, baseUrl));
  return {
    missingKey: login === null ? 'Set PIXCTL_API_KEY.' : `Set PIXCTL_API_KEY, or run ${login}`,
    refusedKey:
      variable?.refused ??
      `Log in with a ${isSandbox ? 'key of this sandbox' : 'valid key'}: ${login ?? 'pixctl login'}`,
    sandboxKey:
      variable === undefined
        ? 'Choose the profile of the service with --profile, or log in to it.'
        : `Unset ${variable.name}, or give a key of the service there.`,
    realKey:
      variable === undefined
        ? defaultRemedies.realKey
        : `Unset ${variable.name} to use the key of the profile sandbox. If that sandbox no longer exists: pixctl profile remove sandbox.`,
    notReached: isSandbox
      ? 'Start the sandbox in another terminal: pixctl sandbox start'
      : `Check the address ${baseUrl}${isKept ? ` of the profile ${name}` : ''}${proxy === null ? '' : `, the proxy that ${proxy} names,`} and the network, then run it again.`,
    forgotten: isSandbox ? forgetfulSandbox : '',
  };
}

/** What people meet who go on the next day. */
export const forgetfulSandbox =
  'A sandbox started again knows nothing of before, unless both starts had the same --state <file>.';

/** The variable takes precedence over the profile, so a login would change nothing. */
const keyVariables: Partial<
  Record<Profile['keySource'], { readonly name: string; readonly refused: string }>
> = {
  environment: { name: 'PIXCTL_API_KEY', refused: 'Set PIXCTL_API_KEY to a valid key.' },
  'key-file': {
    name: 'PIXCTL_API_KEY_FILE',
    refused: 'Put a valid key into the file that PIXCTL_API_KEY_FILE names.',
  },
};

/** Null for an address given on top of a stored profile: a login there would move the profile to that address. */
function loginOf({ name }: Profile, isFree: boolean): string | null {
  if (name === environmentProfile) return 'pixctl login';
  return isFree ? `pixctl login --profile ${name}` : null;
}

const isLocalSandbox = (sandbox: Profile, baseUrl: string): boolean =>
  isSameAddress(sandbox.baseUrl, baseUrl) && isLoopback(new URL(baseUrl).hostname);
