/**
 * A real PostgreSQL server for tests, in a directory of its own on a free port of loopback. Where the
 * binaries are missing, or this user may not run them, `postgresMissing` says why and the tests skip.
 */
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

const roots = ['/usr/lib/postgresql', '/usr/local/opt/postgresql/bin', '/opt/homebrew/opt/postgresql/bin'];

function binaries(): string | null {
  for (const root of roots) {
    if (existsSync(join(root, 'initdb'))) return root;
    if (!existsSync(root)) continue;
    const [newest] = readdirSync(root).sort((a, b) => Number(b) - Number(a));
    if (newest !== undefined && existsSync(join(root, newest, 'bin/initdb')))
      return join(root, newest, 'bin');
  }
  return null;
}

/** The server refuses to run as root: as root, run it as `nobody`. */
export function unprivileged(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

export const bin = process.platform === 'win32' ? null : binaries();

/** Why there is no server, for a visible skip; null when there can be one. */
export const postgresMissing: string | null =
  process.env.PIXCTL_TEST_POSTGRES === 'off'
    ? 'PIXCTL_TEST_POSTGRES=off'
    : bin === null
      ? 'no PostgreSQL binaries on this machine'
      : null;

export interface Postgres {
  /** URL of a fresh, empty database. */
  createDatabase(): Promise<string>;
  /** Runs one statement on a database (the server's own one by default) through `psql`. */
  sql(statement: string, url?: string): string;
  /** Stops the server at once, as a power cut would, and starts it again. */
  restart(): Promise<void>;
  crash(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<Postgres> {
  if (bin === null) throw new Error(postgresMissing ?? '');
  const user = unprivileged();
  const home = mkdtempSync(join(tmpdir(), 'pixctl-pg-'));
  if (user !== null) chownSync(home, user.uid, user.gid);
  const data = join(home, 'data');
  const as = { ...user, cwd: home, env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' } };
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'pixctl', '-A', 'trust', '-E', 'UTF8', '-N'], {
    ...as,
    stdio: 'ignore',
  });
  const port = await freePort();
  const all = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: home,
    shared_buffers: '16MB',
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const address = (name: string) => `postgres://pixctl@127.0.0.1:${port}/${name}`;
  let server: ReturnType<typeof spawn> | null = null;
  let count = 0;

  const sql = (statement: string, url = address('postgres')) =>
    execFileSync(join(bin, 'psql'), ['-X', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-c', statement, url], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  /** Resolves once the server says on stderr that it takes connections. */
  const start = () =>
    new Promise<void>((resolve, reject) => {
      const child = spawn(join(bin, 'postgres'), ['-D', data, ...flags], {
        ...as,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      server = child;
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString('utf8');
        if (said.includes('ready to accept connections')) resolve();
      });
      child.on('error', reject);
      child.on('close', () => reject(new Error(`PostgreSQL did not start:\n${said}`)));
    });

  const end = (signal: NodeJS.Signals) =>
    new Promise<void>((resolve) => {
      const child = server;
      server = null;
      if (child === null || child.exitCode !== null || child.signalCode !== null) return resolve();
      child.on('close', () => resolve());
      child.kill(signal);
    });

  await start();
  return {
    sql,
    start,
    crash: () => end('SIGQUIT'),
    async restart() {
      await end('SIGQUIT');
      await start();
    },
    async createDatabase() {
      const name = `t${++count}`;
      sql(`CREATE DATABASE ${name}`);
      return address(name);
    },
    async stop() {
      await end('SIGINT');
      rmSync(home, { recursive: true, force: true });
    },
  };
}
