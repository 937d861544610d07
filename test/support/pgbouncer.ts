/**
 * A real pgbouncer that pools transactions: each one may run on another of its few connections to the server.
 * Where it is missing, `pgbouncerMissing` says why and the tests skip.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answers } from './answers.ts';
import { freePort } from './free-port.ts';
import { postgresMissing, unprivileged } from './postgres.ts';

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find((path) =>
  existsSync(path),
);

export const pgbouncerMissing: string | null =
  postgresMissing ?? (program === undefined ? 'no pgbouncer on this machine' : null);

export interface Pooler {
  /** The same database, reached through the pooler. */
  over(url: string): string;
  stop(): Promise<void>;
}

/** `url`: any database of the server. */
export async function startPgbouncer(url: string): Promise<Pooler> {
  if (program === undefined) throw new Error(pgbouncerMissing ?? '');
  const { hostname, port: serverPort } = new URL(url);
  const home = mkdtempSync(join(tmpdir(), 'pixctl-pgbouncer-'));
  const port = await freePort();
  const settings = join(home, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${serverPort} user=pixctl
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
`,
  );
  const user = unprivileged();
  if (user !== null) for (const path of [home, settings]) chownSync(path, user.uid, user.gid);
  const child = spawn(program, [settings], { ...user, cwd: home, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  const closed = once(child, 'close');
  for (let tries = 0; !(await answers(`postgres://127.0.0.1:${port}`)); tries++) {
    if (tries > 200 || child.exitCode !== null) throw new Error(`pgbouncer did not start:\n${said}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return {
    over: (other) => other.replace(`:${serverPort}/`, `:${port}/`),
    async stop() {
      child.kill('SIGTERM');
      await closed;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
