/** Where settings and state lie on each platform. Nothing is made or read here. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { configError } from '../errors.ts';
import type { Environment } from '../flags/environment.ts';
import type { Directories } from './profile.ts';

/**
 * PIXCTL_CONFIG_DIR and PIXCTL_STATE_DIR, else the platform's places. Without a home (some containers) each
 * is asked for only when something must be read or written there, and then throws `configError` (78).
 */
export function directoriesOf(environment: Environment, platform: NodeJS.Platform): Directories {
  return {
    get config() {
      return override(environment.PIXCTL_CONFIG_DIR) ?? placeFor('config', environment, platform);
    },
    get state() {
      return override(environment.PIXCTL_STATE_DIR) ?? placeFor('state', environment, platform);
    },
  };
}

const override = (path: string | undefined): string | undefined =>
  path === undefined || path === '' ? undefined : resolve(path);

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
  if (environment.HOME) return environment.HOME;
  try {
    const path = homedir();
    if (path) return path;
  } catch {
    // No HOME and no entry in the password file: said below.
  }
  const variable = what === 'config' ? 'PIXCTL_CONFIG_DIR' : 'PIXCTL_STATE_DIR';
  throw configError(
    'NO_HOME',
    `There is no home directory to keep ${what === 'config' ? 'settings' : 'state'} in.`,
    `Set HOME, or ${variable} to a directory of your own.`,
  );
}
