/** Decides which profile a `login` without a name is about. */
import { isSameAddress, parseBaseUrl } from '../../config/base-url.ts';
import { type Config, type Profile, sandboxProfile } from '../../config/profile.ts';
import { parseProfileName } from '../../config/stored-config.ts';
import type { Runtime } from '../../runtime.ts';

interface LoginName {
  readonly name: string;
  /** The current profile, if nobody named one and it is the one that gets the new key. */
  readonly renewed: Profile | null;
}

/**
 * Returns the named profile. Otherwise the current one, as for every other command, so that its label stays the scope
 * of what the ledger holds. Otherwise `default`. A different address or label, by flag or environment, is another
 * merchant, who does not get the current profile; and the sandbox's profile takes no key of the service.
 */
export function loginName(
  { environment, globals }: Runtime,
  config: Config,
  merchant: string | undefined,
): LoginName {
  const named = globals.profile ?? environment.PIXCTL_PROFILE;
  if (named) return { name: parseProfileName(named), renewed: null };
  const current = config.list().find(({ name }) => name === config.currentName());
  const label = merchant ?? (environment.PIXCTL_MERCHANT || undefined);
  const address = globals.baseUrl ?? environment.PIXCTL_BASE_URL;
  const isMeant =
    current !== undefined &&
    current.name !== sandboxProfile &&
    (!address || isSameAddress(parseBaseUrl(address), current.baseUrl)) &&
    (label === undefined || label === current.merchant);
  return isMeant ? { name: current.name, renewed: current } : { name: 'default', renewed: null };
}
