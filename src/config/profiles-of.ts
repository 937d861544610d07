/** The profiles in the settings file, each with where its key lies. */
import { parseApiKey } from './api-key.ts';
import { parseBaseUrl } from './base-url.ts';
import type { Config, Profile } from './profile.ts';
import { unknownProfile } from './resolve-profile.ts';
import type { NamedSecrets, SettingsFile } from './secrets-of.ts';
import { keyName, parseMerchant, parseProfileName } from './stored.ts';

export type Profiles = Pick<Config, 'list' | 'currentName' | 'save' | 'use' | 'remove'>;

export function profilesOf(
  { read, change }: SettingsFile,
  { keep, deleteSecret }: Pick<NamedSecrets, 'keep' | 'deleteSecret'>,
): Profiles {
  return {
    list() {
      const stored = read();
      return [...stored.profiles].map(
        ([name, profile]): Profile => ({
          name,
          ...profile,
          keySource: stored.secrets.get(keyName(name, profile.baseUrl)) ?? 'none',
        }),
      );
    },
    currentName: () => read().current,
    async save(given, apiKey, { secrets = {}, inFile = false } = {}) {
      const name = parseProfileName(given.name);
      const profile = { baseUrl: parseBaseUrl(given.baseUrl), merchant: parseMerchant(given.merchant) };
      const key = parseApiKey(apiKey);
      const named = keyName(name, profile.baseUrl);
      const before = read().profiles.get(name);
      const places = await keep({ ...secrets, [named]: key }, inFile, (stored) => ({
        ...stored,
        current: stored.current ?? name,
        profiles: new Map([...stored.profiles, [name, profile]]),
      }));
      const old = before === undefined ? named : keyName(name, before.baseUrl);
      if (old !== named) await deleteSecret(old);
      return { name, ...profile, keySource: places.get(named) ?? 'none' };
    },
    use: (name) =>
      change((stored) => {
        if (!stored.profiles.has(name)) throw unknownProfile(name, [...stored.profiles.keys()]);
        return { ...stored, current: name };
      }),
    async remove(name) {
      const stored = read();
      const profile = stored.profiles.get(name);
      if (profile === undefined) throw unknownProfile(name, [...stored.profiles.keys()]);
      await deleteSecret(keyName(name, profile.baseUrl));
      await change((now) => ({
        ...now,
        current: now.current === name ? null : now.current,
        profiles: new Map([...now.profiles].filter(([other]) => other !== name)),
      }));
    },
  };
}
