/** Profiles, and what a command may do with the settings that hold them. */
import type { Problem } from './file-safety.ts';

/** A profile: a named key + base URL + merchant label. `--profile`, the environment and flags resolve to one. */
export interface Profile {
  readonly name: string;
  /** Origin and path prefix of the service, no trailing slash. */
  readonly baseUrl: string;
  /** The user's own stable name for the merchant, so that the ledger's scope survives a key rotation. */
  readonly merchant: string;
  /** Where the key comes from, for `whoami` and `doctor`; never the key. */
  readonly keySource: 'keychain' | 'file' | 'environment' | 'key-file' | 'none';
}

/** The profile that `sandbox start` writes; a key of the service never goes to its address. */
export const sandboxProfile = 'sandbox';

/** The name of the secret that holds the address and control token of the sandbox started last. */
export const controlSecret = 'sandbox-control';

/** The name of a profile made from flag and environment, if no stored profile has that address. */
export const environmentProfile = 'environment';

/** Where the program's files lie. Both are made with mode 0700 when first written to. */
export interface Directories {
  /** `PIXCTL_CONFIG_DIR`, else the platform's place for settings. */
  readonly config: string;
  /** `PIXCTL_STATE_DIR`, else the platform's place for state: ledger, inbox. */
  readonly state: string;
}

/** What is saved in the same step as a profile. */
interface AlsoSaved {
  /** More secrets, by name. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Whether the key and the secrets go to the 0600 file without asking the keychain. */
  readonly inFile?: boolean;
  /** Makes it the current profile, whichever was; otherwise it becomes current only if there is none. */
  readonly current?: boolean;
}

export interface Saved {
  readonly profile: Profile;
  /** Why the key is in the file and not in the keychain; null if it is in the keychain, or was never meant to be. */
  readonly whyInFile: string | null;
  /** Set if the keychain did not remove the key that was replaced. */
  readonly left: LeftInKeychain | null;
}

export interface LeftInKeychain {
  /** The account in the keychain, of the service pixctl. */
  readonly account: string;
  readonly why: string;
}

export interface Config {
  readonly directories: Directories;
  /**
   * The profile to which flag, environment and file resolve, in that order. Throws `configError` (78). Unreadable
   * settings count as none if address and key are given beside them, so whoever depends on the label must read
   * `settings` first.
   */
  profile(): Profile;
  /**
   * Its API key, or null. The key is bound to the profile's origin; the environment's key goes with the environment's
   * or the flag's URL.
   */
  apiKey(): Promise<string | null>;
  /** Reads the key from a private file that the user names. Throws `configError` (78) if others may read it. */
  keyFile(path: string): string;
  list(): readonly Profile[];
  currentName(): string | null;
  save(
    profile: { name: string; baseUrl: string; merchant: string },
    apiKey: string,
    also?: AlsoSaved,
  ): Promise<Saved>;
  /** Makes the profile the current one. */
  use(name: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Plain settings: policy, ledger id, timeouts. Keys are dotted. */
  get(key: string): unknown;
  /** All plain settings, nested. */
  settings(): Readonly<Record<string, unknown>>;
  /** Durable when it resolves; `undefined` removes the setting. No concurrent writer's change is lost. */
  set(key: string, value: unknown): Promise<void>;
  /** Like `set`, with a value made from what is stored at that moment. */
  update(key: string, make: (stored: unknown) => unknown): Promise<void>;
  /** These work without the settings whenever `profile` does: for what helps a run but decides nothing about money. */
  readonly ifReadable: Pick<Config, 'list' | 'get' | 'readSecret'>;
  /** A secret kept apart from settings (keychain or 0600 file): webhook signing secrets. */
  readSecret(name: string): Promise<string | null>;
  writeSecret(name: string, value: string, inFile?: boolean): Promise<'keychain' | 'file'>;
  /** The secret of that name; if there is none, stores `value` as it. Two callers at once get the same one. */
  readOrCreateSecret(name: string, value: string): Promise<string>;
  deleteSecret(name: string): Promise<void>;
  /** Rewrites the settings unchanged. Throws `config` (78) if no secret could be stored. */
  proveWritable(): Promise<void>;
  /** Whether file modes say who may read a file; on Windows they do not. */
  readonly hasModes: boolean;
  /** For `doctor`: why a path would not be trusted; `absent`; or undefined if it is fine. */
  findFileProblem(path: string, what: 'file' | 'directory'): Problem | 'absent' | undefined;
  /** For `doctor`: why the keychain is not used; null if it answers, even if it is locked. */
  probeKeychain(): Promise<string | null>;
  /** Path of the settings file. */
  readonly path: string;
}
