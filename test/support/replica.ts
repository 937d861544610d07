/** A streaming replica of a test's PostgreSQL server, that can be stopped, started and promoted. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { bin, end, launch, newHome } from './postgres.ts';

export interface Replica {
  /** The same database, on this server. */
  over(url: string): string;
  sql(statement: string, url: string): string;
  start(): Promise<void>;
  /** At once, as a power cut would. */
  crash(): Promise<void>;
  /** It takes writes from now on. */
  promote(): void;
  stop(): Promise<void>;
}

/** Copies the server of `url` and follows it. Its standby name is `replica`. */
export async function startReplica(url: string): Promise<Replica> {
  if (bin === null) throw new Error('no PostgreSQL');
  const { port: primaryPort } = new URL(url);
  const { home, data, as } = newHome('pixctl-replica-');
  const source = `host=127.0.0.1 port=${primaryPort} user=pixctl application_name=replica`;
  execFileSync(join(bin, 'pg_basebackup'), ['-D', data, '-R', '-X', 'stream', '-c', 'fast', '-d', source], {
    ...as,
    stdio: 'ignore',
  });
  const port = await freePort();
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: home,
    shared_buffers: '16MB',
  };
  let server: ChildProcess | null = null;
  const start = async () => {
    server = await launch(data, settings, as);
  };
  const crash = () => end(server, 'SIGQUIT');
  await start();
  return {
    over: (other) => other.replace(`:${primaryPort}/`, `:${port}/`),
    sql: (statement, on) =>
      execFileSync(join(bin ?? '', 'psql'), ['-X', '-A', '-t', '-c', statement, on], {
        encoding: 'utf8',
      }).trim(),
    start,
    crash,
    promote: () => {
      execFileSync(join(bin ?? '', 'pg_ctl'), ['promote', '-w', '-D', data], { ...as, stdio: 'ignore' });
    },
    async stop() {
      await crash();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
