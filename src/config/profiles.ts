/** The profiles in the settings file, each with the place of its key. */
import { parseApiKey } from './api-key.ts';
import { parseBaseUrl } from './base-url.ts';
import type { NamedSecrets, SettingsFile } from './named-secrets.ts';
import type { Config, Profile } from './profile.ts';
import { unknownProfile } from './resolve-profile.ts';
import { keyName, parseMerchant, parseProfileName, type StoredConfig } from './stored-config.ts';

export type Profiles = Pick<Config, 'list' | 'currentName' | 'save' | 'use' | 'remove'>;

export interface Keys extends Pick<NamedSecrets, 'keep' | 'drop' | 'deleteSecret'> {
  /** Runs `change` while nobody else changes a profile together with its key. */
  alone<T>(change: () => Promise<T>): Promise<T>;
}

/** The stored profiles, in the order of the file. */
export const profilesIn = ({ profiles, secrets }: StoredConfig): Profile[] =>
  [...profiles].map(([name, { baseUrl, merchant }]) => ({
    name,
    baseUrl,
    merchant,
    keySource: secrets.get(keyName(name, baseUrl)) ?? 'none',
  }));

/** Reads and changes profiles. A change of a profile and its key is one step (`Keys.alone`). */
export function createProfiles(
  { read, change }: SettingsFile,
  { keep, drop, deleteSecret, alone }: Keys,
): Profiles {
  const baseUrlOf = (name: string): string => {
    const { profiles } = read();
    const profile = profiles.get(name);
    if (profile === undefined) throw unknownProfile(name, [...profiles.keys()], 'changed');
    return profile.baseUrl;
  };
  return {
    list: () => profilesIn(read()),
    currentName: () => read().current,
    async save(given, apiKey, { secrets = {}, inFile = false, current = false } = {}) {
      const name = parseProfileName(given.name);
      const profile = { baseUrl: parseBaseUrl(given.baseUrl), merchant: parseMerchant(given.merchant) };
      const key = parseApiKey(apiKey);
      const named = keyName(name, profile.baseUrl);
      return alone(async () => {
        const before = read().profiles.get(name);
        const add = (stored: StoredConfig): StoredConfig => ({
          ...stored,
          current: current ? name : (stored.current ?? name),
          profiles: new Map([...stored.profiles, [name, { ...stored.profiles.get(name), ...profile }]]),
        });
        const isAnothers = before !== undefined && before.merchant !== profile.merchant;
        const { places, whyInFile, left } = await keep({ ...secrets, [named]: key }, inFile, add, isAnothers);
        const old = before === undefined ? named : keyName(name, before.baseUrl);
        return {
          profile: { name, ...profile, keySource: places.get(named) ?? 'none' },
          whyInFile,
          left: old === named ? (left.get(named) ?? null) : await drop(old),
        };
      });
    },
    use: (name) =>
      change((stored) => {
        if (!stored.profiles.has(name)) throw unknownProfile(name, [...stored.profiles.keys()], 'changed');
        return { ...stored, current: name };
      }),
    async remove(name) {
      baseUrlOf(name);
      await alone(async () => {
        await deleteSecret(keyName(name, baseUrlOf(name)));
        await change((now) => ({
          ...now,
          current: now.current === name ? null : now.current,
          profiles: new Map([...now.profiles].filter(([other]) => other !== name)),
        }));
      });
    },
  };
}
