/**
 * A real PostgreSQL server for tests, in a directory of its own on a free port of loopback. Where the
 * binaries are missing, or this user may not run them, `postgresMissing` says why and the tests skip.
 * `PIXCTL_TEST_POSTGRES` is `off`, or the directory of the binaries of the version to test with.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { memory } from './memory.ts';

const wish = process.env.PIXCTL_TEST_POSTGRES ?? '';
const roots = ['/usr/lib/postgresql', '/usr/local/opt/postgresql/bin', '/opt/homebrew/opt/postgresql/bin'];

function binaries(): string | null {
  if (wish !== '') return existsSync(join(wish, 'initdb')) ? wish : null;
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
  wish === 'off'
    ? 'PIXCTL_TEST_POSTGRES=off'
    : bin === null
      ? `no PostgreSQL binaries ${wish === '' ? 'on this machine' : `in ${wish}`}`
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
  /** Has every commit from now on wait for a replica that is not there, until `lost` is false. */
  loseReplica(lost: boolean): Promise<void>;
  /** How many commits wait for a replica. */
  waiting(): number;
}

/** Where the run of the tests has its clusters (build.ts): one is made, and each server gets a copy of it. */
const clusters = process.env.PIXCTL_TEST_CLUSTERS;

/** Makes a folder for a server, `data` in it, and says how that server is run: as whom, where, with which environment. */
export function newHome(name: string) {
  const user = unprivileged();
  const home = mkdtempSync(join(clusters ?? tmpdir(), name));
  if (user !== null) chownSync(home, user.uid, user.gid);
  const as = { ...user, cwd: home, env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' } };
  return { home, data: join(home, 'data'), as };
}

function newCluster(bin: string) {
  const { home, data, as } = newHome('pixctl-pg-');
  const initialise = (into: string) =>
    execFileSync(join(bin, 'initdb'), ['-D', into, '-U', 'pixctl', '-A', 'trust', '-E', 'UTF8', '-N'], {
      ...as,
      stdio: 'ignore',
    });
  if (clusters === undefined) {
    initialise(data);
    return { home, data, as, isInMemory: false };
  }
  const made = join(clusters, 'made');
  if (!existsSync(made)) {
    const fresh = newHome('making-');
    initialise(fresh.data);
    try {
      renameSync(fresh.home, made);
    } catch (error) {
      // Another worker was faster.
      if (!existsSync(made)) throw error;
      rmSync(fresh.home, { recursive: true });
    }
  }
  execFileSync('cp', ['-R', join(made, 'data'), data], as);
  return { home, data, as, isInMemory: clusters.startsWith(memory) };
}

/** Runs a server on `data`. Resolves once it says on stderr that it takes connections. */
export const launch = (
  data: string,
  settings: Readonly<Record<string, string>>,
  as: ReturnType<typeof newHome>['as'],
): Promise<ChildProcess> =>
  new Promise((resolve, reject) => {
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(join(bin ?? '', 'postgres'), ['-D', data, ...flags], {
      ...as,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      if (/ready to accept .*connections/.test(said)) resolve(child);
    });
    child.on('error', reject);
    child.on('close', () => reject(new Error(`PostgreSQL did not start:\n${said}`)));
  });

/** Resolves when the server has ended. SIGQUIT ends it at once, as a power cut would. */
export async function end(server: ChildProcess | null, signal: 'SIGQUIT' | 'SIGINT'): Promise<void> {
  if (server === null || server.exitCode !== null || server.signalCode !== null) return;
  const closed = once(server, 'close');
  server.kill(signal);
  await closed;
}

export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<Postgres> {
  if (bin === null) throw new Error(postgresMissing ?? '');
  const { home, data, as, isInMemory } = newCluster(bin);
  const port = await freePort();
  const all = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: home,
    shared_buffers: '16MB',
    ...settings,
  };
  const address = (name: string) => `postgres://pixctl@127.0.0.1:${port}/${name}`;
  let server: ChildProcess | null = null;
  let count = 0;

  const sql = (statement: string, url = address('postgres')) =>
    execFileSync(join(bin, 'psql'), ['-X', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-c', statement, url], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  const start = async () => {
    server = await launch(data, all, as);
  };

  const waiting = () => Number(sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"));

  /** Resolves to whether it waits for a replica; ends its wait then. */
  async function probe(): Promise<boolean> {
    const commit = ['-X', '-q', '-c', `CREATE TABLE probe_${++count} ()`, address('postgres')];
    const child = spawn(join(bin ?? '', 'psql'), commit, { stdio: 'ignore' });
    const closed = once(child, 'close');
    while (child.exitCode === null && waiting() === 0) await turn();
    const isWaiting = child.exitCode === null;
    if (isWaiting) sql("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
    await closed;
    return isWaiting;
  }

  await start();
  // In memory, copying files costs a tenth of writing their contents to the log. PostgreSQL 14 knows no other way.
  const mayChoose = isInMemory && Number(sql('SHOW server_version_num')) >= 150_000;
  const howToCopy = mayChoose ? 'STRATEGY = FILE_COPY' : '';
  return {
    sql,
    waiting,
    async loseReplica(lost) {
      sql(`ALTER SYSTEM SET synchronous_standby_names = '${lost ? 'nobody' : ''}'`);
      sql('SELECT pg_reload_conf()');
      // The reload is told to one process of the server, and commits wait once another has heard of it.
      while ((await probe()) !== lost) await turn();
    },
    start,
    crash: () => end(server, 'SIGQUIT'),
    async restart() {
      await end(server, 'SIGQUIT');
      await start();
    },
    async createDatabase() {
      const name = `t${++count}`;
      sql(`CREATE DATABASE ${name} ${howToCopy}`);
      return address(name);
    },
    async stop() {
      await end(server, 'SIGINT');
      rmSync(home, { recursive: true, force: true });
    },
  };
}
