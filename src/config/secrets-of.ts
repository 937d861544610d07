/** Secrets by name, and where each lies: the settings say it, the store holds them. */
import type { Config } from './profile.ts';
import type { SecretStore, Secrets } from './secret-store.ts';
import type { Place, Stored } from './stored.ts';

/** The settings file, parsed. */
export interface SettingsFile {
  read(): Stored;
  /** Under its lock; durable when it resolves. */
  change(make: (before: Stored) => Stored): Promise<void>;
}

export interface NamedSecrets extends Pick<Config, 'readSecret' | 'writeSecret' | 'deleteSecret'> {
  /**
   * Keeps them, and changes the settings in the same step. Says where each lies now. `isAnothers`: they do not go with
   * the settings as they are, so that nobody may find them by those: not meanwhile, and not after a kill.
   */
  keep(
    secrets: Secrets,
    inFile: boolean,
    make: (stored: Stored) => Stored,
    isAnothers?: boolean,
  ): Promise<ReadonlyMap<string, Place>>;
}

export function secretsOf({ read, change }: SettingsFile, store: SecretStore): NamedSecrets {
  /** The secrets first, so that what the settings name is there. */
  const keep: NamedSecrets['keep'] = async (secrets, inFile, make, isAnothers = false) => {
    const before = read().secrets;
    if (isAnothers) await change((stored) => without(stored, Object.keys(secrets)));
    const places = await store.write(secrets, inFile);
    await change((stored) => ({ ...make(stored), secrets: new Map([...stored.secrets, ...places]) }));
    for (const [name, place] of places) {
      const left = before.get(name) ?? place;
      // A keychain that does not remove the old one keeps what nothing names any more.
      if (left !== place) await store.delete(name, left).catch(left === 'keychain' ? () => {} : undefined);
    }
    return places;
  };
  return {
    keep,
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
      await change((stored) => without(stored, [name]));
    },
  };
}

const without = (stored: Stored, names: readonly string[]): Stored => ({
  ...stored,
  secrets: new Map([...stored.secrets].filter(([name]) => !names.includes(name))),
});
