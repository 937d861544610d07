/** Secrets by name, and where each is kept: the settings record the place, the store holds the secret. */
import type { Config, LeftInKeychain } from './profile.ts';
import type { SecretStore, Secrets, Written } from './secret-store.ts';
import type { Place, StoredConfig } from './stored-config.ts';

/** The settings file, parsed. */
export interface SettingsFile {
  read(): StoredConfig;
  /** Runs under its lock; durable when it resolves. */
  change(make: (before: StoredConfig) => StoredConfig): Promise<void>;
}

export interface Kept extends Written {
  /** Those that were replaced and that the keychain did not remove, by name. */
  readonly left: ReadonlyMap<string, LeftInKeychain>;
}

export interface NamedSecrets extends Pick<Config, 'readSecret' | 'writeSecret' | 'deleteSecret'> {
  /**
   * Stores the secrets and changes the settings in the same step. `isAnothers`: they belong to another merchant than
   * the present settings, which must therefore not lead to them, neither meanwhile nor after a kill.
   */
  keep(
    secrets: Secrets,
    inFile: boolean,
    make: (stored: StoredConfig) => StoredConfig,
    isAnothers?: boolean,
  ): Promise<Kept>;
  /** Nothing refers to it any more, even if the keychain did not remove it. */
  drop(name: string): Promise<LeftInKeychain | null>;
}

/** Joins the settings file, which knows the places, and the store, which holds the secrets. */
export function createNamedSecrets({ read, change }: SettingsFile, store: SecretStore): NamedSecrets {
  /** Stores the secrets first, so that whatever the settings name exists. */
  const keep: NamedSecrets['keep'] = async (secrets, inFile, make, isAnothers = false) => {
    const before = read().secrets;
    if (isAnothers) await change((stored) => without(stored, Object.keys(secrets)));
    const { places, whyInFile } = await store.write(secrets, inFile);
    await change((stored) => ({ ...make(stored), secrets: new Map([...stored.secrets, ...places]) }));
    const left = new Map<string, LeftInKeychain>();
    for (const [name, place] of places) {
      const old = before.get(name) ?? place;
      const kept = old === place ? null : await remove(name, old);
      if (kept !== null) left.set(name, kept);
    }
    return { places, whyInFile, left };
  };
  /** Tolerates a keychain that is locked or turned off, which must keep nobody from a new key. */
  const remove = (name: string, place: Place): Promise<LeftInKeychain | null> =>
    store.delete(name, place).then(
      () => null,
      (error: Error) => {
        if (place !== 'keychain') throw error;
        // If there is no cause, nobody can say whether there is a keychain.
        const { message } = error.cause instanceof Error ? error.cause : error;
        return { account: store.account(name), why: message };
      },
    );
  const forget = (name: string) => change((stored) => without(stored, [name]));
  return {
    keep,
    async readSecret(name) {
      const place = read().secrets.get(name);
      return place === undefined ? null : store.read(name, place);
    },
    async drop(name) {
      const place = read().secrets.get(name);
      if (place === undefined) return null;
      const left = await remove(name, place);
      await forget(name);
      return left;
    },
    async writeSecret(name, value, inFile = false) {
      const { places } = await keep({ [name]: value }, inFile, (stored) => stored);
      return places.get(name) ?? 'file';
    },
    async deleteSecret(name) {
      const place = read().secrets.get(name);
      if (place === undefined) return;
      await store.delete(name, place);
      await forget(name);
    },
  };
}

const without = (stored: StoredConfig, names: readonly string[]): StoredConfig => ({
  ...stored,
  secrets: new Map([...stored.secrets].filter(([name]) => !names.includes(name))),
});
