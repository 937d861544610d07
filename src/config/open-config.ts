/** The `Config` of a run. Reads nothing before it is asked, and nothing from the working directory. */
import { join } from 'node:path';
import type { Globals } from '../flags/globals.ts';
import { parseApiKey, readKeyFile } from './api-key.ts';
import { parseBaseUrl } from './base-url.ts';
import { directoriesOf } from './directories.ts';
import { getDotted, setDotted } from './dotted.ts';
import { type FileOwner, problemOf } from './guard.ts';
import { changeJsonFile, readJsonFile } from './json-file.ts';
import { openKeychain, turnedOff } from './keychain.ts';
import type { Config, Profile } from './profile.ts';
import { type Resolved, resolveProfile, unknownProfile } from './resolve-profile.ts';
import { type Secrets, secretStore } from './secret-store.ts';
import { keyName, parseMerchant, parseProfileName, parseStored, type Stored, writeStored } from './stored.ts';

export interface ConfigSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly globals: Globals;
  readonly platform: NodeJS.Platform;
  /** The effective user id, for judging whose files these are. */
  readonly uid?: number | undefined;
  /** The path of this Node, to ask the keychain with; null in the single executable. */
  readonly node?: string | null | undefined;
}

export async function openConfig(sources: ConfigSources): Promise<Config> {
  const { environment, globals, platform, uid } = sources;
  const owner: FileOwner = { platform, uid };
  const directories = directoriesOf(environment, platform);
  const store = secretStore(
    () => directories.config,
    owner,
    () => (getDotted(read().settings, 'keychain') === 'off' ? turnedOff : openKeychain(sources)),
  );

  const path = () => join(directories.config, 'config.json');
  const read = (): Stored => parseStored(hasHome(directories) ? readJsonFile(path(), owner) : {});
  const change = async (make: (before: Stored) => Stored) => {
    await changeJsonFile(path(), owner, (file) => ({ ...file, ...writeStored(make(parseStored(file))) }));
  };
  /** The secrets first, so that what the settings name is there. */
  const keep = async (secrets: Secrets, inFile: boolean, make: (stored: Stored) => Stored) => {
    const places = await store.write(secrets, inFile);
    let before: Stored['secrets'] = new Map();
    await change((stored) => {
      before = stored.secrets;
      return { ...make(stored), secrets: new Map([...stored.secrets, ...places]) };
    });
    for (const [name, place] of places) {
      const left = before.get(name) ?? place;
      // A keychain that does not remove the old one keeps what nothing names any more.
      if (left !== place) await store.delete(name, left).catch(left === 'keychain' ? () => {} : undefined);
    }
    return places;
  };
  /**
   * Whom a run acts for is settled at its first look: were the current profile changed while a question stands, the
   * ledger of one merchant and the key of another would be taken. Only what the run itself changes is seen.
   */
  let settled: Resolved | null = null;
  const resolve = (): Resolved => {
    settled ??= resolveProfile(read(), environment, globals);
    return settled;
  };
  const changeProfiles = async (make: (before: Stored) => Stored) => {
    await change(make);
    settled = null;
  };

  const config: Config = {
    directories,
    get path() {
      return path();
    },
    profile: () => resolve().profile,
    async apiKey() {
      const { profile, storedKey } = resolve();
      if (profile.keySource === 'environment') return parseApiKey(environment.PIXCTL_API_KEY ?? '');
      if (profile.keySource === 'key-file') return config.keyFile(environment.PIXCTL_API_KEY_FILE ?? '');
      return storedKey === null ? null : config.readSecret(storedKey);
    },
    keyFile: (path) => readKeyFile(path, owner),
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
      if (old !== named) await config.deleteSecret(old);
      settled = null;
      return { name, ...profile, keySource: places.get(named) ?? 'none' };
    },
    use: (name) =>
      changeProfiles((stored) => {
        if (!stored.profiles.has(name)) throw unknownProfile(name, [...stored.profiles.keys()]);
        return { ...stored, current: name };
      }),
    async remove(name) {
      const stored = read();
      const profile = stored.profiles.get(name);
      if (profile === undefined) throw unknownProfile(name, [...stored.profiles.keys()]);
      await config.deleteSecret(keyName(name, profile.baseUrl));
      await changeProfiles((now) => ({
        ...now,
        current: now.current === name ? null : now.current,
        profiles: new Map([...now.profiles].filter(([other]) => other !== name)),
      }));
    },
    judge: (path, what) => problemOf(path, what, owner),
    probeKeychain: () => store.probe(),
    settings: () => read().settings,
    get: (key) => getDotted(read().settings, key),
    set: (key, value) => config.update(key, () => value),
    update: (key, make) =>
      change((stored) => {
        const value = make(getDotted(stored.settings, key));
        return { ...stored, settings: setDotted(stored.settings, key, value) };
      }),
    async readSecret(name) {
      const place = read().secrets.get(name);
      return place === undefined ? null : store.read(name, place);
    },
    async writeSecret(name, value) {
      const places = await keep({ [name]: value }, false, (stored) => stored);
      return places.get(name) ?? 'file';
    },
    async deleteSecret(name) {
      const place = read().secrets.get(name);
      if (place === undefined) return;
      await store.delete(name, place);
      await change((stored) => ({
        ...stored,
        secrets: new Map([...stored.secrets].filter(([other]) => other !== name)),
      }));
    },
  };
  return config;
}

/** Without any home there are no stored profiles; the environment may still give enough. */
function hasHome(directories: { readonly config: string }): boolean {
  try {
    return directories.config !== '';
  } catch {
    return false;
  }
}
