/** Secrets, kept apart from settings: in the OS keychain if one works, otherwise in a file of mode 0600. */
import { join } from 'node:path';
import { messageOf, PixctlError } from '../errors.ts';
import type { FileOwner } from './file-safety.ts';
import { changeJsonFile, readJsonFile } from './json-file.ts';
import { type Keychain, type NoKeychain, turnedOff } from './keychain.ts';
import type { Place } from './stored-config.ts';

/** Values by name. */
export type Secrets = Readonly<Record<string, string>>;

export interface Written {
  /** Where each is now. */
  readonly places: ReadonlyMap<string, Place>;
  /** Why the keychain did not take what is in the file, in the words of `NoKeychain` or of the keychain. */
  readonly whyInFile: string | null;
}

export interface SecretStore {
  /** Throws `config` (78) if the keychain that holds it does not answer. */
  read(name: string, place: Place): Promise<string | null>;
  /** Writes all of them; tries the keychain first, unless `inFile`. */
  write(secrets: Secrets, inFile?: boolean): Promise<Written>;
  /** Throws `config` (78) if the file of secrets exists and could not be added to. */
  check(): void;
  /** Throws `config` (78) if the keychain that holds it does not remove it. */
  delete(name: string, place: Place): Promise<void>;
  /** The name of its account in the keychain. */
  account(name: string): string;
  /**
   * Why the keychain is not used; null if it answers, even if it is locked. Throws `config` (78) if PIXCTL_KEYCHAIN is
   * neither on nor off.
   */
  probe(): Promise<string | null>;
}

/** `directory`: of the file, found when it is first needed; `keychain`: asked anew for each secret. */
export function secretStore(
  directory: () => string,
  owner: FileOwner,
  keychain: () => Keychain | NoKeychain,
): SecretStore {
  const path = () => join(directory(), 'secrets.json');
  const account = (name: string) =>
    `${owner.platform === 'win32' ? withCapitalsMarked(name) : name} in ${directory()}`;
  return {
    account,
    async read(name, place) {
      if (place === 'keychain') return inKeychain(keychain(), 'give', (it) => it.read(account(name)));
      const value = readJsonFile(path(), owner)[name];
      return typeof value === 'string' ? value : null;
    },
    async write(secrets, inFile = false) {
      const places = new Map<string, Place>();
      const chain = inFile ? turnedOff : keychain();
      let untaken: string | null = null;
      for (const [name, value] of Object.entries(secrets)) {
        const problem =
          'write' in chain ? await chain.write(account(name), value).then(none, messageOf) : chain.absent;
        places.set(name, problem === null ? 'keychain' : 'file');
        untaken ??= problem;
      }
      const left = Object.entries(secrets).filter(([name]) => places.get(name) === 'file');
      if (left.length > 0) {
        await changeJsonFile(path(), owner, (file) => Object.fromEntries([...Object.entries(file), ...left]));
      }
      return { places, whyInFile: inFile ? null : untaken };
    },
    check: () => void readJsonFile(path(), owner),
    async probe() {
      const chain = keychain();
      if ('absent' in chain) return chain.absent;
      return chain.read(account('probe')).then(none, messageOf);
    },
    async delete(name, place) {
      if (place === 'keychain') return inKeychain(keychain(), 'remove', (it) => it.delete(account(name)));
      await changeJsonFile(path(), owner, (file) =>
        Object.fromEntries(Object.entries(file).filter(([other]) => other !== name)),
      );
    },
  };
}

/**
 * The Windows keychain treats `Shop` and `shop` as one name: two profiles with these names would both send the key that
 * was stored last. The name of their directory needs no mark, because Windows itself ignores its case.
 */
const withCapitalsMarked = (name: string): string => name.replace(/[A-Z^]/g, '^$&');

const none = () => null;

async function inKeychain<T>(
  keychain: Keychain | NoKeychain,
  act: 'give' | 'remove',
  ask: (keychain: Keychain) => Promise<T>,
): Promise<T> {
  try {
    if ('absent' in keychain) throw new Error(keychain.absent);
    return await ask(keychain);
  } catch (error) {
    throw new PixctlError(
      'config',
      'KEYCHAIN',
      `The secret is in the keychain, and the keychain did not ${act} it: ${(error as Error).message}. Nothing was sent.`,
      {
        hint: `${keychain === turnedOff ? 'Turn the keychain on (pixctl config set keychain on, no PIXCTL_KEYCHAIN=off)' : 'Unlock the keychain'}, give the key in PIXCTL_API_KEY, or log in again.`,
        cause: error,
      },
    );
  }
}
