/**
 * Whom a run acts for, fixed at the first use. If the current profile changed while a question is open, the run would
 * otherwise take the ledger of one merchant and the key of another. Only changes that the run itself makes are noticed.
 */
import { configError, type PixctlError } from '../errors.ts';
import type { Environment } from '../flags/environment.ts';
import type { Globals } from '../flags/globals.ts';
import { parseApiKey } from './api-key.ts';
import type { Config, Profile } from './profile.ts';
import { type Resolved, resolveProfile } from './resolve-profile.ts';
import type { StoredConfig } from './stored-config.ts';

interface Sources extends Pick<Config, 'keyFile' | 'readSecret'> {
  readonly environment: Environment;
  readonly globals: Globals;
  read(): StoredConfig;
  readIfReadable(): StoredConfig;
}

interface RunProfile extends Pick<Config, 'profile' | 'apiKey'> {
  /** Resolves as `change` does, which may concern the run's own profile: its next use resolves it anew. */
  afresh<T>(change: Promise<T>): Promise<T>;
}

/** Reads nothing before the first use. */
export function createRunProfile(sources: Sources): RunProfile {
  const { environment, globals } = sources;
  let settled: Settled | null = null;
  const resolve = (): Settled => {
    if (settled !== null) return settled;
    const stored = sources.readIfReadable();
    const resolved = resolveProfile(stored, environment, globals);
    settled = { ...resolved, record: stored.profiles.get(resolved.profile.name) };
    return settled;
  };
  return {
    profile: () => resolve().profile,
    async apiKey() {
      const { profile, storedKey, record } = resolve();
      if (profile.keySource === 'environment')
        return parseApiKey(environment.PIXCTL_API_KEY ?? '', 'The key in PIXCTL_API_KEY');
      if (profile.keySource === 'key-file') return sources.keyFile(environment.PIXCTL_API_KEY_FILE ?? '');
      if (storedKey === null) return null;
      const key = await sources.readSecret(storedKey);
      const now = sources.read();
      const { merchant, baseUrl } = now.profiles.get(profile.name) ?? {};
      const isAnothers = key !== null && !now.secrets.has(storedKey);
      if (isAnothers || merchant !== record?.merchant || baseUrl !== record?.baseUrl)
        throw changedMeanwhile(profile.name);
      return key;
    },
    afresh: (change) =>
      change.finally(() => {
        settled = null;
      }),
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
