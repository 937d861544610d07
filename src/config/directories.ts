/** Where settings and state lie on each platform. Creates and reads nothing. */
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { configError } from '../errors.ts';
import type { Environment } from '../flags/environment.ts';
import type { Directories } from './profile.ts';

/**
 * PIXCTL_CONFIG_DIR and PIXCTL_STATE_DIR, or else the platform's places. Each is determined only when something must be
 * read or written there; it throws `configError` (78) if there is no home (as in some containers), or none that is the
 * same from every working directory.
 */
export function directoriesOf(environment: Environment, platform: NodeJS.Platform): Directories {
  return {
    get config() {
      return override('PIXCTL_CONFIG_DIR', environment) ?? placeFor('config', environment, platform);
    },
    get state() {
      return override('PIXCTL_STATE_DIR', environment) ?? placeFor('state', environment, platform);
    },
  };
}

function override(variable: 'PIXCTL_CONFIG_DIR' | 'PIXCTL_STATE_DIR', environment: Environment) {
  const path = environment[variable];
  if (path && unexpandedPath.test(path))
    throw configError(
      'UNREAD_DIRECTORY',
      `${variable} is ${JSON.stringify(path)}, with a quote, a space, ~, $ or % that is not part of the path: it would name another directory. Nothing was sent.`,
      'Write the whole path, without quotes or spaces around it: docker run --env-file, and set in cmd.exe, pass it on as it is. If a directory really has such a name, write ./ before it.',
    );
  try {
    return path ? resolve(path) : undefined;
  } catch (cause) {
    throw configError(
      'NO_WORKING_DIRECTORY',
      `${variable} is ${JSON.stringify(path)}, relative to a working directory that no longer exists. Nothing was sent.`,
      `Give ${variable} as an absolute path, or change to another directory.`,
      { cause },
    );
  }
}

/**
 * In quotes, with a `~` or a variable that nothing has expanded, or with the blank of `set NAME=path && ...`. It would
 * be a directory below the working directory, in a container on no volume, and the next run would find no ledger.
 */
const unexpandedPath = /^["'`~$%\s]|\s$/;

type What = 'config' | 'state';

function placeFor(what: What, environment: Environment, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    const variable = what === 'config' ? 'APPDATA' : 'LOCALAPPDATA';
    const fallback = what === 'config' ? 'AppData/Roaming' : 'AppData/Local';
    const base = environment[variable];
    // A service may receive a literal `%USERPROFILE%\AppData\Local`.
    if (base) return join(requireAbsolute(variable, base, what, platform), 'pixctl', what);
    return join(home(environment, what, platform), fallback, 'pixctl', what);
  }
  const xdg = what === 'config' ? environment.XDG_CONFIG_HOME : environment.XDG_STATE_HOME;
  // The XDG specification says to ignore relative paths; ours would depend on the working directory.
  if (xdg?.startsWith('/')) return join(xdg, 'pixctl');
  const under = home(environment, what, platform);
  if (platform === 'darwin') return join(under, 'Library/Application Support/pixctl', what);
  return join(under, what === 'config' ? '.config' : '.local/state', 'pixctl');
}

function home({ HOME }: Environment, what: What, platform: NodeJS.Platform): string {
  if (HOME) return requireAbsolute('HOME', HOME, what, platform);
  const found = homeOfSystem();
  if (found) return requireAbsolute(platform === 'win32' ? 'USERPROFILE' : 'HOME', found, what, platform);
  throw configError(
    'NO_HOME',
    `There is no home directory to keep ${stored[what]} in.`,
    setOwn('HOME', what),
  );
}

function homeOfSystem(): string {
  try {
    return homedir();
  } catch {
    // No HOME, and no entry in the password file.
    return '';
  }
}

/** Below the working directory, a run started elsewhere would find no ledger and not know what this run paid. */
function requireAbsolute(variable: string, path: string, what: What, platform: NodeJS.Platform): string {
  if (platform === 'win32' ? namesADrive.test(path) : isAbsolute(path)) return path;
  throw configError(
    'RELATIVE_HOME',
    `${variable} is ${JSON.stringify(path)}, not an absolute path: the location of the ${stored[what]} would depend on the working directory. Nothing was sent.`,
    setOwn(variable, what),
  );
}

/** Or a server. A path with a single leading backslash is on the drive of the working directory. */
const namesADrive = /^(?:[a-z]:[\\/]|[\\/]{2})/i;

const stored = { config: 'settings', state: 'state' } as const;

const setOwn = (variable: string, what: What) =>
  `Set ${variable}, or ${what === 'config' ? 'PIXCTL_CONFIG_DIR' : 'PIXCTL_STATE_DIR'} to a directory of your own.`;
