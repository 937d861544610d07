/** Where settings and state lie on each platform. Nothing is made or read here. */
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { configError } from '../errors.ts';
import type { Environment } from '../flags/environment.ts';
import type { Directories } from './profile.ts';

/**
 * PIXCTL_CONFIG_DIR and PIXCTL_STATE_DIR, else the platform's places. Each is asked for only when something must be
 * read or written there, and then throws `configError` (78) if there is no home (some containers), or none that
 * every working directory agrees on.
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
  try {
    return path ? resolve(path) : undefined;
  } catch (cause) {
    throw configError(
      'NO_WORKING_DIRECTORY',
      `${variable} is ${JSON.stringify(path)}, below a working directory that is no longer there. Nothing was sent.`,
      `Give ${variable} as an absolute path, or change to another directory.`,
      { cause },
    );
  }
}

function placeFor(what: 'config' | 'state', environment: Environment, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    const base = what === 'config' ? environment.APPDATA : environment.LOCALAPPDATA;
    const fallback = what === 'config' ? 'AppData/Roaming' : 'AppData/Local';
    return join(base || join(home(environment, what), fallback), 'pixctl', what);
  }
  const xdg = what === 'config' ? environment.XDG_CONFIG_HOME : environment.XDG_STATE_HOME;
  // The XDG specification has relative paths ignored; ours would depend on the working directory.
  if (xdg?.startsWith('/')) return join(xdg, 'pixctl');
  if (platform === 'darwin') return join(home(environment, what), 'Library/Application Support/pixctl', what);
  return join(home(environment, what), what === 'config' ? '.config' : '.local/state', 'pixctl');
}

function home(environment: Environment, what: 'config' | 'state'): string {
  const { HOME } = environment;
  const stored = what === 'config' ? 'settings' : 'state';
  const hint = `Set HOME, or ${what === 'config' ? 'PIXCTL_CONFIG_DIR' : 'PIXCTL_STATE_DIR'} to a directory of your own.`;
  // Below the working directory a run elsewhere would find no ledger, and know nothing of what this one paid.
  if (HOME && !isAbsolute(HOME))
    throw configError(
      'RELATIVE_HOME',
      `HOME is ${JSON.stringify(HOME)}, not an absolute path: the place of the ${stored} would depend on the working directory. Nothing was sent.`,
      hint,
    );
  if (HOME) return HOME;
  try {
    const path = homedir();
    if (path) return path;
  } catch {
    // No HOME and no entry in the password file: said below.
  }
  throw configError('NO_HOME', `There is no home directory to keep ${stored} in.`, hint);
}
