/** Profiles, and what a command may do with the settings that hold them. */
import type { Problem } from './guard.ts';

/** A profile: a named key + base URL + merchant label. What `--profile`, the environment and flags resolve to. */
export interface Profile {
  readonly name: string;
  /** Origin and path prefix of the service, no trailing slash. */
  readonly baseUrl: string;
  /** The user's own stable name for the merchant: the ledger's scope survives a key rotation. */
  readonly merchant: string;
  /** Where the key comes from, for `whoami` and `doctor`; never the key. */
  readonly keySource: 'keychain' | 'file' | 'environment' | 'key-file' | 'none';
}

/** The profile that `sandbox start` writes; a key of the service never goes to its address. */
export const sandboxProfile = 'sandbox';

/** The name of the secret that holds the last started sandbox's address and control token. */
export const controlSecret = 'sandbox-control';

/** The name of the profile made of flag and environment, if no stored profile has that address. */
export const environmentProfile = 'environment';

/** Where the program's files lie. Both are made with mode 0700 when first written to. */
export interface Directories {
  /** `PIXCTL_CONFIG_DIR`, else the platform's place for settings. */
  readonly config: string;
  /** `PIXCTL_STATE_DIR`, else the platform's place for state: ledger, inbox. */
  readonly state: string;
}

/** What is written in the same step as a profile. */
export interface AlsoSaved {
  /** More secrets, by name. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Whether the key and the secrets go to the 0600 file without asking the keychain. */
  readonly inFile?: boolean;
  /** Makes it the current profile, whichever was; otherwise it becomes that only where there is none. */
  readonly current?: boolean;
}

export interface Saved {
  readonly profile: Profile;
  /** Why the key lies in the file and not in the keychain; null if it is in the keychain, or was never meant to be. */
  readonly untaken: string | null;
  /** Where the keychain did not remove the key that was replaced. */
  readonly left: LeftInKeychain | null;
}

export interface LeftInKeychain {
  /** Of the service pixctl, in the keychain. */
  readonly account: string;
  readonly why: string;
}

export interface Config {
  readonly directories: Directories;
  /**
   * The profile that flag, environment and file resolve to, in that order. Throws `configError` (78). Settings that
   * cannot be read count as none if address and key are given beside them; whoever depends on the label reads
   * `settings` first.
   */
  profile(): Profile;
  /** Its API key, or null. Bound to the profile's origin; the environment's key goes with its or the flag's URL. */
  apiKey(): Promise<string | null>;
  /** The key in a private file that the user names. Throws `configError` (78) when others may read it. */
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
  /** Durable when it resolves; `undefined` removes. No concurrent writer's change is lost. */
  set(key: string, value: unknown): Promise<void>;
  /** The same, made of what is stored by then. */
  update(key: string, make: (stored: unknown) => unknown): Promise<void>;
  /** These work without the settings whenever `profile` does: for what helps a run and decides nothing about money. */
  readonly ifReadable: Pick<Config, 'list' | 'get' | 'readSecret'>;
  /** A secret kept apart from settings (keychain or 0600 file): webhook signing secrets. */
  readSecret(name: string): Promise<string | null>;
  writeSecret(name: string, value: string, inFile?: boolean): Promise<'keychain' | 'file'>;
  /** The secret of that name; if there is none, `value` becomes it. Two that ask at once get the same one. */
  secretOr(name: string, value: string): Promise<string>;
  deleteSecret(name: string): Promise<void>;
  /** Writes the settings as they are. Throws `config` (78) where no secret could be kept. */
  proveWritable(): Promise<void>;
  /** Whether files tell by modes who may read them, as they do not on Windows. */
  readonly hasModes: boolean;
  /** For `doctor`: why a path would not be trusted, `absent`, or undefined where it is fine. */
  judge(path: string, what: 'file' | 'directory'): Problem | 'absent' | undefined;
  /** For `doctor`: why the keychain is not used; null if it answers, as also a locked one does. */
  probeKeychain(): Promise<string | null>;
  /** Path of the settings file. */
  readonly path: string;
}
