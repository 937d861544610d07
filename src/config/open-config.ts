/** The `Config` of a run. Reads nothing until it is needed, and nothing from the working directory. */
import { join } from 'node:path';
import { configError, type PixctlError } from '../errors.ts';
import type { Environment } from '../flags/environment.ts';
import type { Globals } from '../flags/globals.ts';
import { parseApiKey, readKeyFile } from './api-key.ts';
import { directoriesOf } from './directories.ts';
import { getDotted, setDotted } from './dotted.ts';
import { type FileOwner, makePrivateDirectory, problemOf } from './file-safety.ts';
import { changeJsonFile } from './json-file.ts';
import { openKeychain, turnedOff } from './keychain.ts';
import { createNamedSecrets } from './named-secrets.ts';
import type { Config, Profile } from './profile.ts';
import { createProfiles } from './profiles.ts';
import { readerOf } from './read-stored.ts';
import { type Resolved, resolveProfile } from './resolve-profile.ts';
import { secretStore } from './secret-store.ts';
import { parseStoredConfig, type StoredConfig, storedConfigToJson } from './stored-config.ts';

export interface ConfigSources {
  readonly environment: Environment;
  readonly globals: Globals;
  readonly platform: NodeJS.Platform;
  /** The effective user id, to judge whose files these are. */
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
  const { read, readIfReadable } = readerOf(path, owner, sources);
  const change = async (make: (before: StoredConfig) => StoredConfig) => {
    await changeJsonFile(path(), owner, (file) => ({
      ...file,
      ...storedConfigToJson(make(parseStoredConfig(file))),
    }));
  };
  /**
   * Fixes, at its first use, whom the run acts for. If the current profile changed while a question is open, the run
   * would otherwise take the ledger of one merchant and the key of another. Only changes that the run itself makes are
   * noticed.
   */
  let settled: Settled | null = null;
  const resolve = (): Settled => {
    if (settled !== null) return settled;
    const stored = readIfReadable();
    const resolved = resolveProfile(stored, environment, globals);
    settled = { ...resolved, record: stored.profiles.get(resolved.profile.name) };
    return settled;
  };
  /** Keys and profiles lie in two files: of two logins at once, one could write the key and the other the profile. */
  const alone = async <T>(change: () => Promise<T>): Promise<T> => {
    makePrivateDirectory(directories.config, owner);
    const { withFileLock } = await import('./lock.ts');
    return withFileLock(join(directories.config, 'profiles'), change);
  };
  const { keep, drop, ...secrets } = createNamedSecrets({ read, change }, store);
  const keys = { keep, drop, deleteSecret: secrets.deleteSecret, alone };
  const profiles = createProfiles({ read, change }, keys);
  const afresh = <T>(changed: Promise<T>): Promise<T> =>
    changed.finally(() => {
      settled = null;
    });
  const keyFile = (path: string) => readKeyFile(path, owner);
  const update = (key: string, make: (stored: unknown) => unknown) =>
    change((stored) => {
      const value = make(getDotted(stored.settings, key));
      return { ...stored, settings: setDotted(stored.settings, key, value) };
    });

  return {
    directories,
    get path() {
      return path();
    },
    profile: () => resolve().profile,
    async apiKey() {
      const { profile, storedKey, record } = resolve();
      if (profile.keySource === 'environment') return parseApiKey(environment.PIXCTL_API_KEY ?? '');
      if (profile.keySource === 'key-file') return keyFile(environment.PIXCTL_API_KEY_FILE ?? '');
      if (storedKey === null) return null;
      const key = await secrets.readSecret(storedKey);
      const now = read();
      const { merchant, baseUrl } = now.profiles.get(profile.name) ?? {};
      const isAnothers = key !== null && !now.secrets.has(storedKey);
      if (isAnothers || merchant !== record?.merchant || baseUrl !== record?.baseUrl)
        throw changedMeanwhile(profile.name);
      return key;
    },
    keyFile,
    ...profiles,
    save: (...given) => afresh(profiles.save(...given)),
    use: (name) => afresh(profiles.use(name)),
    remove: (name) => afresh(profiles.remove(name)),
    hasModes: owner.platform !== 'win32',
    findFileProblem: (path, what) => problemOf(path, what, owner),
    probeKeychain: () => store.probe(),
    ifReadable: {
      list: createProfiles({ read: readIfReadable, change }, keys).list,
      get: (key) => getDotted(readIfReadable().settings, key),
      readSecret: createNamedSecrets({ read: readIfReadable, change }, store).readSecret,
    },
    settings: () => read().settings,
    get: (key) => getDotted(read().settings, key),
    set: (key, value) => update(key, () => value),
    update,
    ...secrets,
    readOrCreateSecret: (name, value) =>
      alone(async () => {
        const kept = await secrets.readSecret(name);
        if (kept === null) await secrets.writeSecret(name, value);
        return kept ?? value;
      }),
    async proveWritable() {
      store.check();
      await change((stored) => stored);
    },
    async deleteSecret(name) {
      if (read().secrets.has(name)) await alone(() => secrets.deleteSecret(name));
    },
  };
}

interface Settled extends Resolved {
  /** The profile as stored at that first use. */
  readonly record: Pick<Profile, 'merchant' | 'baseUrl'> | undefined;
}

/** The key now stored under this name may be another merchant's. */
const changedMeanwhile = (name: string): PixctlError =>
  configError(
    'PROFILE_CHANGED',
    `The profile ${name} was given another merchant or address during this run. Nothing was sent.`,
    'Run the same command again; pixctl whoami shows which merchant it is for.',
  );
