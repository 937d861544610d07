/** Resolves flag, environment and stored profile, in that order: which address, which merchant, and whose key. Pure. */
import { configError, type PixctlError, rewordError } from '../errors.ts';
import type { Environment } from '../flags/environment.ts';
import type { Globals } from '../flags/globals.ts';
import { didYouMean, nearest } from '../flags/nearest.ts';
import { originOf, parseBaseUrl } from './base-url.ts';
import { environmentProfile, type Profile } from './profile.ts';
import { isName, keyName, parseMerchant, type StoredConfig } from './stored-config.ts';

export interface Resolved {
  readonly profile: Profile;
  /** The name of the stored secret that is the key, if it is one. */
  readonly storedKey: string | null;
}

/**
 * A key never goes to an origin that it was not given with: a stored key only to its profile's origin. A
 * profile named by a flag is taken whole: the environment changes neither its address nor its key.
 */
export function resolveProfile(stored: StoredConfig, environment: Environment, globals: Globals): Resolved {
  const byFlag = globals.profile !== undefined;
  const unlessByFlag = (value: string | undefined) => (byFlag ? undefined : nonEmpty(value));
  const named = globals.profile ?? nonEmpty(environment.PIXCTL_PROFILE);
  const typed = typedBaseUrl(globals.baseUrl, unlessByFlag(environment.PIXCTL_BASE_URL));
  const known = stored.profiles.get(named ?? stored.current ?? '');
  const label = unlessByFlag(environment.PIXCTL_MERCHANT);
  if (named !== undefined && known === undefined) refuseUnknownName(stored, named, { byFlag, typed, label });
  const baseUrl = typed ?? (known && keptBaseUrl(known.baseUrl, named ?? stored.current));
  if (baseUrl === undefined) throw noProfile(stored);

  const sameOrigin = known !== undefined && originOf(known.baseUrl) === originOf(baseUrl);
  // Nobody asked for the current profile: if the address is another, this run is not about it.
  const meant = named !== undefined || sameOrigin ? known : undefined;
  const name = named ?? (meant === undefined ? environmentProfile : (stored.current ?? environmentProfile));
  const merchant = merchantOf(label, meant, named);
  const key = keyOf(stored, environment, sameOrigin ? keyName(name, baseUrl) : null, byFlag);
  return { profile: { name, baseUrl, merchant, keySource: key.source }, storedKey: key.stored };
}

/**
 * Refuses (78) a name that no profile has. In `PIXCTL_PROFILE`, beside an address, it may be a label. But if that
 * address has profiles, it is more likely a misspelt name of one, and the ledger would not know what was paid under the
 * right name.
 */
function refuseUnknownName(
  stored: StoredConfig,
  name: string,
  given: { readonly byFlag: boolean; readonly typed: string | undefined; readonly label: string | undefined },
): void {
  const unknown = unknownProfile(name, [...stored.profiles.keys()]);
  if (given.byFlag) throw unknown;
  if (given.typed === undefined) throw inVariable('PIXCTL_PROFILE', unknown);
  const there = given.label === undefined ? profilesAt(stored, given.typed) : [];
  if (there.length === 0) return;
  throw rewordError(inVariable('PIXCTL_PROFILE', unknownProfile(name, there)), {
    hint: `Profiles with this address: ${there.join(', ')}. PIXCTL_MERCHANT names a merchant that has no profile.`,
  });
}

function merchantOf(
  label: string | undefined,
  profile: Pick<Profile, 'merchant'> | undefined,
  named: string | undefined,
): string {
  if (label !== undefined) return parseVariable('PIXCTL_MERCHANT', label, parseMerchant);
  if (profile !== undefined) return parseMerchant(profile.merchant);
  return named === undefined ? 'default' : parseVariable('PIXCTL_PROFILE', named, parseMerchant);
}

function typedBaseUrl(flag: string | undefined, variable: string | undefined): string | undefined {
  if (flag !== undefined) return parseBaseUrl(flag);
  return variable && parseVariable('PIXCTL_BASE_URL', variable, parseBaseUrl);
}

/** Reads a variable's value. Throws what `parse` throws, naming the variable. */
export function parseVariable(name: string, value: string, parse: (text: string) => string): string {
  try {
    return parse(value);
  } catch (cause) {
    throw inVariable(name, cause as PixctlError);
  }
}

/** Names the variable whose value is refused: nothing on the command line shows it. */
const inVariable = (name: string, cause: PixctlError): PixctlError =>
  rewordError(cause, { message: `${name}: ${cause.message}` });

function keyOf(stored: StoredConfig, environment: Environment, secret: string | null, preferStored: boolean) {
  const place = secret === null ? undefined : stored.secrets.get(secret);
  const fromStore = place === undefined ? undefined : { source: place, stored: secret };
  if (preferStored && fromStore !== undefined) return fromStore;
  if (nonEmpty(environment.PIXCTL_API_KEY)) return { source: 'environment', stored: null } as const;
  if (nonEmpty(environment.PIXCTL_API_KEY_FILE)) return { source: 'key-file', stored: null } as const;
  return fromStore ?? ({ source: 'none', stored: null } as const);
}

/** The address of a stored profile. `login` has checked it, so a bad one was written into the file by hand (78). */
function keptBaseUrl(address: string, name: string | null): string {
  try {
    return parseBaseUrl(address);
  } catch (cause) {
    throw configError(
      'BAD_ADDRESS',
      `The profile ${name}: ${(cause as Error).message}`,
      `Give it another address: pixctl login --profile ${isName(name ?? '') ? name : '<name>'} --base-url https://api.example.com`,
      { cause },
    );
  }
}

/** Treats an empty variable as unset. */
const nonEmpty = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

const profilesAt = (stored: StoredConfig, baseUrl: string): string[] =>
  [...stored.profiles].flatMap(([name, profile]) =>
    originOf(profile.baseUrl) === originOf(baseUrl) ? [name] : [],
  );

/** The error (78) for a name that no profile has. `names` are those of the profiles; `spared` is what was not done. */
export function unknownProfile(
  name: string,
  names: readonly string[],
  spared: 'sent' | 'changed' = 'sent',
): PixctlError {
  const can = isName(name);
  // login would refuse such a name, and a shell might read it as something else.
  const login = `pixctl login --profile ${can ? name : '<name>'}`;
  return configError(
    'UNKNOWN_PROFILE',
    `There is no profile "${name}"${didYouMean(nearest(name, names), '"')} Nothing was ${spared}.`,
    names.length === 0
      ? `${login} creates ${can ? 'it' : 'one'}.`
      : `Profiles: ${names.join(', ')}. ${login} creates ${can ? 'this one' : 'another'}.`,
  );
}

const noProfile = (stored: StoredConfig): PixctlError =>
  configError(
    'NO_PROFILE',
    'The address of the service is not known: there is no current profile, no --base-url and no PIXCTL_BASE_URL. Nothing was sent.',
    stored.profiles.size === 0
      ? 'Run pixctl login for the service, or pixctl sandbox start to try everything offline.'
      : `pixctl profile use <name>: ${[...stored.profiles.keys()].join(', ')}`,
  );
