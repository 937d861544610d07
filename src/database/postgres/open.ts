/** The shared driver: PostgreSQL through `pg`, for a ledger or inbox used from several hosts. */
import type { PoolClient } from 'pg';
import { configError, storageError } from '../../errors.ts';
import { type Driver, type DriverQueries, durableAtOnce } from '../driver.ts';
import type { Value } from '../port.ts';
import { createPool, poolSize, vet } from './connect.ts';
import { mayRunAgain, translate } from './errors.ts';
import { type Begun, type Session, sessionOn, unconfirmed } from './session.ts';

/** How often a transaction is attempted that deadlocks or fails to serialize. */
const attempts = 5;

/**
 * The transaction of `Begun`, as long as it lasts. Behind a pooler, its server process may already work for another
 * client, whose transaction is left alone.
 */
const whileItLasts = `FROM pg_catalog.pg_stat_activity
  WHERE pid = $1 AND extract(epoch FROM xact_start)::text = $2 AND backend_xid IS NOT NULL`;
const hasNoCommit = "state = 'idle in transaction'";
const awaitsReplicas = "query = 'COMMIT' AND wait_event = 'SyncRep'";

const lookAtCommit = `SELECT ${hasNoCommit} AS idle, coalesce(${awaitsReplicas}, false) AS waiting, pg_sleep(0.1)
  ${whileItLasts}`;
const endSession = `SELECT pg_terminate_backend(pid) ${whileItLasts} AND ${hasNoCommit}`;
const endWaiting = `SELECT pg_cancel_backend(pid) ${whileItLasts} AND ${awaitsReplicas}`;

/**
 * How long a commit that nobody answered is looked at, and the look under way. One that the server's disk holds up may
 * take longer.
 */
const longestCommitMs = 60_000;

/** Opens the driver. `signal` breaks every connection when it aborts, whatever they are doing. */
export async function openPostgres(url: string, signal?: AbortSignal): Promise<Driver> {
  const location = locationOf(url);
  const { pool, end } = await createPool(url, signal);
  const vettedOnes = new WeakSet<PoolClient>();

  async function connect(): Promise<PoolClient> {
    try {
      return await pool.connect();
    } catch (cause) {
      throw translate(cause, location);
    }
  }

  /** Runs `work` on a vetted connection; a broken one is thrown away, not given back to the pool. */
  async function lend<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const client = await connect();
    const session = sessionOn(client, location);
    try {
      if (!vettedOnes.has(client)) await vet(session, location);
      vettedOnes.add(client);
      return await work(session);
    } finally {
      client.release(session.broken || !vettedOnes.has(client));
    }
  }

  async function once<T>(work: (tx: DriverQueries) => Promise<T>): Promise<T> {
    let begun: Begun | undefined;
    let isInDoubt = false;
    try {
      return await lend(async (session) => {
        begun = await session.begin();
        try {
          const result = await work(session);
          isInDoubt = true;
          await session.commit();
          return result;
        } catch (cause) {
          isInDoubt &&= session.broken;
          if (!session.broken) await session.rollback();
          throw cause;
        }
      });
    } catch (cause) {
      // Its own connection has been given up by now: if all of them were waiting, none would be left to end the wait
      // with.
      if (begun !== undefined && isInDoubt && !signal?.aborted && (await seeEnd(begun)))
        throw unconfirmed(location, 'its synchronous replicas did not confirm it in time', cause);
      throw cause;
    }
  }

  /**
   * Sees to it that a transaction ends whose COMMIT nobody answered, so that the next look shows for good whether it
   * took effect. Left alone, it would hold its rows, and could take effect after somebody was told that it had failed:
   * the COMMIT may still be under way, and for synchronous replicas the server waits without limit. Returns whether
   * it was waiting for these; if so, the wait is over and its rows are visible.
   */
  async function seeEnd(commit: Begun): Promise<boolean> {
    const isLate = AbortSignal.timeout(longestCommitMs);
    let waited = false;
    for (let failed = 0; !isLate.aborted && !signal?.aborted; )
      try {
        const still = await lookAndEnd(commit);
        if (still === null) return waited;
        waited ||= still.waiting;
      } catch {
        // All connections may have died with the other one; then the next one is new. Otherwise, the failure of the
        // commit itself is what gets reported.
        if (++failed > poolSize) return false;
      }
    return false;
  }

  /** Null once the transaction has ended. */
  async function lookAndEnd({ pid, since }: Begun) {
    const [still] = await query<{ idle: boolean; waiting: boolean }>(lookAtCommit, [pid, since]);
    if (still === undefined) return null;
    if (still.idle) await query(endSession, [pid, since]);
    if (still.waiting) await query(endWaiting, [pid, since]);
    return still;
  }

  async function again<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (cause) {
        if (!mayRunAgain(cause)) throw cause;
        if (attempt === attempts)
          throw storageError(`${location} is too busy: the transaction failed to serialize`, {
            cause,
            hint: 'Run again in a moment.',
          });
      }
    }
  }

  const query = <T extends object>(sql: string, parameters: readonly Value[] = []): Promise<T[]> =>
    again(() => lend((session) => session.query<T>(sql, parameters)));

  const transaction: Driver['transaction'] = (work) => again(() => once(work));

  return {
    dialect: 'postgres',
    location,
    query,
    execute: (sql, parameters) => again(() => lend((session) => session.execute(sql, parameters))),
    transaction,
    write: durableAtOnce(transaction),
    hasTable: async (name) =>
      (await query('SELECT 1 FROM pg_catalog.pg_class WHERE oid = to_regclass($1)', [name])).length > 0,
    close: end,
  };
}

/** Matches `host1,host2` in either place where libpq accepts it; a password may hold a comma. */
const severalHosts = /^\w+:\/\/(?:[^/?#]*@)?[^/?#@]*,[^/?#@]*(?:[/?#]|$)|[?&]host=[^&#]*(?:,|%2C)/i;

/** Names host and database, never user or password. */
function locationOf(url: string): string {
  if (severalHosts.test(url))
    throw configError(
      'DATABASE_URL',
      'the address of the PostgreSQL ledger names several servers, and pixctl takes one',
      'Give a name or a pooler that follows the primary.',
    );
  // A parse error would quote the URL, password included, so it is not kept as the cause.
  try {
    // `user@/database?host=/run/postgresql` names a socket.
    const { host, pathname, searchParams } = new URL(url.replace(/^(\w+:\/\/[^/?]*@)\//, '$1localhost/'));
    const port = searchParams.get('port') ?? '';
    // With a slash too many or too few, user and password become part of the database's name.
    if (pathname.includes('@')) throw new URIError('an @ in the path');
    // `pg` would never return from it.
    if (!/^\d*$/.test(port) || Number(port) > 65_535) throw new URIError('a port that there is not');
    const name = decodeURIComponent(pathname.slice(1)) || '(default)';
    return `the database ${name} on ${searchParams.get('host') ?? (host || 'localhost')}`;
  } catch {
    throw configError(
      'DATABASE_URL',
      'the address of the PostgreSQL ledger is not a URL that can be read',
      hint,
    );
  }
}

const hint = 'It looks like postgres://user:password@host:5432/database; encode special characters.';
