/**
 * Installs the program as its users have it: packed from the build, installed by npm, started by the name that npm
 * gives it.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

export interface Installed {
  /** The link that npm makes. Its first line asks `env` for `node`. */
  readonly program: string;
  /** `PATH`, with the Node that runs this first. */
  readonly path: string;
  remove(): void;
}

/**
 * Packs what `npm run build` has made, and installs it. Fetches nothing: the package includes all but its optional
 * parts.
 */
export function install(): Installed {
  const folder = mkdtempSync(join(tmpdir(), 'pixctl-installed-'));
  const npm = (...args: string[]) =>
    execFileSync('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  npm('pack', '--pack-destination', folder);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  const prefix = join(folder, 'prefix');
  npm('install', '--global', '--offline', '--omit=optional', '--prefix', prefix, join(folder, tarball));
  return {
    program: join(prefix, process.platform === 'win32' ? 'pixctl.cmd' : 'bin/pixctl'),
    path: [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
