/** A small pool of connections, each vetted before its first use: no server is trusted whose commits may not last. */
import type { Socket } from 'node:net';
import type { Client, ClientConfig, Pool, PoolConfig } from 'pg';
import { configError, storageError } from '../../errors.ts';
import type { Queries } from '../port.ts';

/** The most connections that one process holds. */
export const poolSize = 4;

/** For one transaction: the commit waits for the disk, and for more if the server is set to more. */
const raised = `set_config('synchronous_commit',
  CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true)`;

/** Loads `pg`, which is optional: whoever uses a single host never installs it. */
async function loadPg(): Promise<Pick<typeof import('pg'), 'Client' | 'Pool' | 'types'>> {
  try {
    const module = await import('pg');
    return module.default ?? module;
  } catch (cause) {
    // A `require` gives the second code, if the bundler turns this import into one.
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    throw configError(
      'PG_MISSING',
      'a PostgreSQL ledger needs the package "pg", which is not installed',
      'npm install -g pg   (or, where pixctl is a dependency of a project: npm install pg)',
    );
  }
}

export interface Connections {
  readonly pool: Pool;
  end(): Promise<void>;
}

/**
 * Makes the pool; it connects at its first use. `signal` breaks every connection when it aborts. Throws `config` (78)
 * if `pg` is not installed.
 */
export async function createPool(url: string, signal?: AbortSignal): Promise<Connections> {
  const pg = await loadPg();
  const clients = new Set<Client>();
  class Kept extends pg.Client {
    constructor(options?: ClientConfig) {
      super(options);
      // The server may end it at any moment, even when the pool no longer listens: the next query will fail and say so.
      this.on('error', () => {});
      clients.add(this.once('end', () => clients.delete(this)));
    }
  }
  const config: PoolConfig = {
    connectionString: withPlainMode(url),
    Client: Kept,
    max: poolSize,
    connectionTimeoutMillis: 10_000,
    query_timeout: 30_000,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
    keepAlive: true,
    application_name: 'pixctl',
    types: {
      // BIGINT holds cents and milliseconds, all far below 2^53.
      getTypeParser: ((oid: number, format: 'text' | 'binary') =>
        oid === 20 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
  const pool = new pg.Pool(config);
  // The pool reports an idle connection that breaks, and replaces it.
  pool.on('error', () => {});
  const cut = () => {
    for (const client of clients) streamOf(client).destroy();
  };
  signal?.addEventListener('abort', cut, { once: true });
  return {
    pool,
    async end() {
      await pool.end();
      // A login that failed on this side leaves its connection open, and the server waits a minute for the rest of it.
      for (const client of clients) client.end(() => {});
    },
  };
}

/**
 * The socket of a client, because ending the client would wait for the server to close its side. `pg` exposes the
 * socket, and its own pool does the same.
 */
const streamOf = (client: Client): Socket =>
  (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;

/**
 * `pg` treats these modes as `verify-full`, but prints eight lines at each start that it may verify less one day. This
 * way the certificate is verified whichever `pg` is installed.
 */
const withPlainMode = (url: string): string =>
  /[?&]uselibpqcompat=/.test(url)
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=[&#]|$)/g, '$1verify-full');

/**
 * How each transaction begins: it waits for the disk (and for synchronous replicas), and is bounded. All of these
 * settings last for the transaction only: a pooler may hand each one to another server connection, which other programs
 * have set to their liking and will use again. The constraints keep senders apart at any isolation level; a stricter
 * default of the server would only make it refuse transactions of merchants who have nothing to do with each other.
 */
export const begin = `BEGIN ISOLATION LEVEL READ COMMITTED; SELECT ${[
  raised,
  ...[
    ['lock_timeout', '10s'],
    ['statement_timeout', '20s'],
    ['idle_in_transaction_session_timeout', '30s'],
    // Only a warning reports a commit that did not wait for its replicas.
    ['client_min_messages', 'warning'],
  ].map(([name, value]) => `set_config('${name}', '${value}', true)`),
  // Exists from version 17 on. What a transaction waits for is bounded above; a migration takes as long as it takes.
  "CASE WHEN current_setting('transaction_timeout', true) <> '0' THEN set_config('transaction_timeout', '0', true) END",
  'pg_backend_pid() AS pid',
  // When it began, which distinguishes it from the next transaction of the same server process.
  'extract(epoch FROM now())::text AS since',
].join(', ')}`;

/**
 * Asserts that the server is durable (a transaction can be made to wait for the disk, `fsync` is on, it is no standby)
 * and can store whatever text the service sends. Costs one round trip per connection; if the default is weaker, one
 * more, for what is written outside transactions.
 */
export async function vet(session: Queries, location: string): Promise<void> {
  const [found] = await session.query<Settings>(
    `SELECT current_setting('synchronous_commit') AS usual, ${raised} AS commit,
            current_setting('fsync') AS fsync, pg_is_in_recovery() AS recovering,
            current_setting('server_encoding') AS encoding`,
  );
  if (found === undefined) throw storageError('the PostgreSQL server did not show its settings');
  if (found.recovering)
    throw storageError(`${location} is read-only at present (a standby?)`, { hint: 'Run again later.' });
  if (found.fsync !== 'on') throw notDurable(location, `fsync=${found.fsync}`);
  if (!waitsForDisk(found.commit)) throw notDurable(location, `synchronous_commit=${found.commit}`);
  if (!takesAnyText(found.encoding)) throw notAnyText(location, found.encoding);
  if (!waitsForDisk(found.usual)) await session.query('SET synchronous_commit = on');
}

interface Settings {
  readonly usual: string;
  readonly commit: string;
  readonly fsync: string;
  readonly recovering: boolean;
  readonly encoding: string;
}

const waitsForDisk = (value: string): boolean => value === 'on' || value === 'remote_apply';

const notDurable = (location: string, setting: string) =>
  configError(
    'NOT_DURABLE',
    `${location} may lose what it has committed (${setting})`,
    'Turn fsync and synchronous_commit on for the ledger.',
  );

/** SQL_ASCII takes bytes as they are. */
const takesAnyText = (encoding: string): boolean => encoding === 'UTF8' || encoding === 'SQL_ASCII';

/** Such a database works until the first answer with another character, whose outcome could then never be recorded. */
const notAnyText = (location: string, encoding: string) =>
  configError(
    'DATABASE_ENCODING',
    `${location} cannot store every character that the service may send (its encoding is ${encoding})`,
    'Use a database with the encoding UTF8: createdb --encoding=UTF8 --template=template0. pg_dump and psql move a ledger there with its id.',
  );
