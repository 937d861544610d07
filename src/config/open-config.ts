/** The `Config` of a run. Reads nothing until it is needed, and nothing from the working directory. */
import { join } from 'node:path';
import type { Environment } from '../flags/environment.ts';
import type { Globals } from '../flags/globals.ts';
import { readKeyFile } from './api-key.ts';
import { directoriesOf } from './directories.ts';
import { getDotted, setDotted } from './dotted.ts';
import { type FileOwner, makePrivateDirectory, problemOf } from './file-safety.ts';
import { changeJsonFile } from './json-file.ts';
import { openKeychain, turnedOff } from './keychain.ts';
import { createNamedSecrets } from './named-secrets.ts';
import type { Config } from './profile.ts';
import { createProfiles, profilesIn } from './profiles.ts';
import { readerOf } from './read-stored.ts';
import { createRunProfile } from './run-profile.ts';
import { secretStore } from './secret-store.ts';
import { parseStoredConfig, type StoredConfig, storedConfigToJson } from './stored-config.ts';

interface ConfigSources {
  readonly environment: Environment;
  readonly globals: Globals;
  readonly platform: NodeJS.Platform;
  /** The effective user id, to judge whose files these are. */
  readonly uid?: number | undefined;
  /** The path of this Node, to ask the keychain with; null in the single executable. */
  readonly node?: string | null | undefined;
}

export async function openConfig(sources: ConfigSources): Promise<Config> {
  const { environment, platform, uid } = sources;
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
  /** Keys and profiles lie in two files: of two logins at once, one could write the key and the other the profile. */
  const alone = async <T>(change: () => Promise<T>): Promise<T> => {
    makePrivateDirectory(directories.config, owner);
    const { withFileLock } = await import('./lock.ts');
    return withFileLock(join(directories.config, 'profiles'), change);
  };
  const { keep, drop, ...secrets } = createNamedSecrets({ read, change }, store);
  const profiles = createProfiles(
    { read, change },
    { keep, drop, deleteSecret: secrets.deleteSecret, alone },
  );
  const keyFile = (path: string) => readKeyFile(path, owner);
  const { afresh, ...own } = createRunProfile({ ...sources, ...secrets, keyFile, read, readIfReadable });
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
    ...own,
    keyFile,
    ...profiles,
    save: (...given) => afresh(profiles.save(...given)),
    use: (name) => afresh(profiles.use(name)),
    remove: (name) => afresh(profiles.remove(name)),
    hasModes: owner.platform !== 'win32',
    findFileProblem: (path, what) => problemOf(path, what, owner),
    probeKeychain: () => store.probe(),
    ifReadable: {
      list: () => profilesIn(readIfReadable()),
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
