/** What the settings file holds: profiles, which is current, where each secret lies, and plain settings. */
import { isObject } from '../contract/json-object.ts';
import { configError, usageError } from '../errors.ts';
import type { JsonObject } from './json-file.ts';

export type Place = 'keychain' | 'file';

/** Fields that a newer version has added are kept. */
interface StoredProfile {
  readonly baseUrl: string;
  readonly merchant: string;
}

export interface StoredConfig {
  readonly current: string | null;
  readonly profiles: ReadonlyMap<string, StoredProfile>;
  /** Name of a secret -> its place. Never the secret itself. */
  readonly secrets: ReadonlyMap<string, Place>;
  readonly settings: JsonObject;
}

/**
 * Throws `config` (78) for a damaged entry: profiles decide where a key is sent, settings decide which ledger is ours.
 */
export function parseStoredConfig(file: JsonObject): StoredConfig {
  return {
    current: parseCurrent(file.current),
    profiles: new Map(
      Object.entries(objectAt(file, 'profiles')).map(([name, value]) => [name, parseProfile(name, value)]),
    ),
    secrets: new Map(
      Object.entries(objectAt(file, 'secrets')).map(([name, place]) => [name, parsePlace(name, place)]),
    ),
    settings: objectAt(file, 'settings'),
  };
}

/** The reverse of `parseStoredConfig`. */
export const storedConfigToJson = ({ current, profiles, secrets, settings }: StoredConfig): JsonObject => ({
  current,
  profiles: Object.fromEntries(profiles),
  secrets: Object.fromEntries(secrets),
  settings,
});

function parseCurrent(value: unknown): string | null {
  if (value === undefined || value === null || typeof value === 'string') return value ?? null;
  throw damaged('The entry "current"', 'current');
}

function parseProfile(name: string, value: unknown): StoredProfile {
  const profile = asObject(value);
  const { baseUrl, merchant } = profile;
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl) || typeof merchant !== 'string')
    throw damaged(`The profile "${name}"`, `profiles.${name}`);
  return { ...profile, baseUrl, merchant };
}

function parsePlace(name: string, value: unknown): Place {
  if (value === 'keychain' || value === 'file') return value;
  throw damaged(`The place of the secret ${name}`, `secrets.${name}`);
}

/**
 * The policy, the pinned ledger and the merchant labels are in here. Damaged, they must not pass for no policy, a new
 * ledger or no label, and must not be overwritten.
 */
function objectAt(file: JsonObject, entry: 'profiles' | 'secrets' | 'settings'): JsonObject {
  const value = file[entry];
  if (value === undefined) return {};
  if (isObject(value)) return value;
  throw damaged(`The entry "${entry}"`, entry);
}

const damaged = (what: string, entry: string) =>
  configError(
    'DAMAGED',
    `${what} in the settings file is damaged, or was written by a newer version of pixctl; it was not changed. Nothing was sent.`,
    `Repair or remove ${entry} in the file that pixctl config path names.`,
  );

const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Checks a name, which people type and see, and which becomes part of the ledger's scope. */
export function parseProfileName(text: string): string {
  return named(text, 'profile');
}

/** Checks a merchant label, which names the scope of the ledger. Throws a usage error (64). */
export function parseMerchant(text: string): string {
  return named(text, 'merchant label');
}

/** Whether a profile can have this name, and a merchant this label. */
export const isName = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(text);

function named(text: string, what: string): string {
  if (!isName(text)) {
    throw usageError(
      `${JSON.stringify(text)} cannot be a ${what}: 1 to 63 letters, digits, dots, dashes and underscores, a letter or digit first. Nothing was sent.`,
    );
  }
  return text;
}

/** The key's name in the secret store: bound to the exact origin, so that a changed address finds no key. */
export const keyName = (profile: string, baseUrl: string): string =>
  `api-key:${profile}@${new URL(baseUrl).origin}`;
