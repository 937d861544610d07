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
  /** Keeps them, and changes the settings in the same step. Says where each lies now. */
  keep(
    secrets: Secrets,
    inFile: boolean,
    make: (stored: Stored) => Stored,
  ): Promise<ReadonlyMap<string, Place>>;
}

export function secretsOf({ read, change }: SettingsFile, store: SecretStore): NamedSecrets {
  /** The secrets first, so that what the settings name is there. */
  const keep: NamedSecrets['keep'] = async (secrets, inFile, make) => {
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
      await change((stored) => ({
        ...stored,
        secrets: new Map([...stored.secrets].filter(([other]) => other !== name)),
      }));
    },
  };
}
