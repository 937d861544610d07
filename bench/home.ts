/** A home directory for the measured programs, so that nobody's settings are read and none are written. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program as users start it. `npm run build` makes what it loads. */
export const program = fileURLToPath(new URL('../bin/pixctl.js', import.meta.url));

export function temporaryHome(): { path: string; env: Record<string, string>; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'pixctl-bench-'));
  return {
    path,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: path,
      XDG_CONFIG_HOME: join(path, '.config'),
      XDG_STATE_HOME: join(path, '.local/state'),
      XDG_CACHE_HOME: join(path, '.cache'),
      PIXCTL_KEYCHAIN: 'off',
      STRIPE_CLI_TELEMETRY_OPTOUT: '1',
      GH_TELEMETRY: 'false',
      DO_NOT_TRACK: '1',
      GH_NO_UPDATE_NOTIFIER: '1',
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
