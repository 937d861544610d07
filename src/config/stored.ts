/** What the settings file holds: profiles, which is current, where each secret lies, and plain settings. */
import { isObject } from '../contract/json-object.ts';
import { configError, usageError } from '../errors.ts';
import type { JsonObject } from './json-file.ts';

export type Place = 'keychain' | 'file';

export interface StoredProfile {
  readonly baseUrl: string;
  readonly merchant: string;
}

export interface Stored {
  readonly current: string | null;
  readonly profiles: ReadonlyMap<string, StoredProfile>;
  /** Name of a secret -> where it lies. Never the secret. */
  readonly secrets: ReadonlyMap<string, Place>;
  readonly settings: JsonObject;
}

/** Throws `config` (78) for what makes no sense: profiles decide where a key is sent, settings which ledger is ours. */
export function parseStored(file: JsonObject): Stored {
  return {
    current: typeof file.current === 'string' ? file.current : null,
    profiles: new Map(
      Object.entries(asObject(file.profiles)).map(([name, value]) => [name, parseProfile(name, value)]),
    ),
    secrets: new Map(
      Object.entries(asObject(file.secrets)).map(([name, place]) => [
        name,
        place === 'keychain' ? 'keychain' : 'file',
      ]),
    ),
    settings: settingsOf(file.settings),
  };
}

export const writeStored = ({ current, profiles, secrets, settings }: Stored): JsonObject => ({
  current,
  profiles: Object.fromEntries(profiles),
  secrets: Object.fromEntries(secrets),
  settings,
});

function parseProfile(name: string, value: unknown): StoredProfile {
  const { baseUrl, merchant } = asObject(value);
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl) || typeof merchant !== 'string') {
    throw configError(
      'DAMAGED',
      `The profile "${name}" in the settings file is damaged. Nothing was sent.`,
      'Repair or remove its entry in the file that pixctl config path names.',
    );
  }
  return { baseUrl, merchant };
}

/** Policy and pinned ledger lie here: damaged, they must not become no policy and a new ledger. */
function settingsOf(value: unknown): JsonObject {
  const settings = asObject(value);
  if (value === undefined || settings === value) return settings;
  throw configError(
    'DAMAGED',
    'The settings in the settings file are damaged. Nothing was sent.',
    'Repair the entry "settings" in the file that pixctl config path names.',
  );
}

const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Names that can be typed, shown and used as a ledger scope. */
export function parseProfileName(text: string): string {
  return named(text, 'profile');
}

export function parseMerchant(text: string): string {
  return named(text, 'merchant label');
}

/** Whether a profile can have this name, and a merchant this label. */
export const isName = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(text);

function named(text: string, what: string): string {
  if (!isName(text)) {
    throw usageError(
      `${JSON.stringify(text)} cannot be a ${what}: 1 to 63 letters, digits, dots, dashes and underscores, a letter or digit first.`,
    );
  }
  return text;
}

/** The key's name in the secret store: bound to the exact origin, so that a changed address finds no key. */
export const keyName = (profile: string, baseUrl: string): string =>
  `api-key:${profile}@${new URL(baseUrl).origin}`;
