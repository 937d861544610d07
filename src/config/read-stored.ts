/** Reads the settings file, and knows which runs can do without it. */
import { PixctlError } from '../errors.ts';
import type { Environment } from '../flags/environment.ts';
import type { Globals } from '../flags/globals.ts';
import type { FileOwner } from './file-safety.ts';
import { readJsonFile } from './json-file.ts';
import { parseStoredConfig, type StoredConfig } from './stored-config.ts';

interface Given {
  readonly environment: Environment;
  readonly globals: Globals;
}

/**
 * `read` throws `config` (78) for what cannot be read; `readIfReadable` does so only if the run needs the settings.
 * `path`: of the file; throws if there is no home for it.
 */
export function readerOf(
  path: () => string,
  owner: FileOwner,
  given: Given,
): { read(): StoredConfig; readIfReadable(): StoredConfig } {
  const read = () => {
    const file = pathIfHome(path);
    return parseStoredConfig(file === null ? {} : readJsonFile(file, owner));
  };
  const isTold = hasAddressAndKey(given);
  return {
    read,
    readIfReadable() {
      try {
        return read();
      } catch (error) {
        if (isTold && error instanceof PixctlError && outOfReach.has(error.code))
          return parseStoredConfig({});
        throw error;
      }
    },
  };
}

/** Whether address and key are given beside the settings, and none of their profiles is requested. */
const hasAddressAndKey = ({ environment, globals }: Given): boolean =>
  globals.profile === undefined &&
  Boolean(globals.baseUrl || environment.PIXCTL_BASE_URL) &&
  Boolean(environment.PIXCTL_API_KEY || environment.PIXCTL_API_KEY_FILE);

/** Codes for settings that may exist, but are out of this run's reach. */
const outOfReach: ReadonlySet<string> = new Set(['UNREADABLE', 'RELATIVE_HOME', 'NO_WORKING_DIRECTORY']);

/** Without a home there are no stored profiles, but the environment may still give enough. */
function pathIfHome(path: () => string): string | null {
  try {
    return path();
  } catch (error) {
    if (error instanceof PixctlError && error.code === 'NO_HOME') return null;
    throw error;
  }
}
