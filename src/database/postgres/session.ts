/** One connection while it is lent out: its queries, and whether it has broken. */
import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import { storageError } from '../../errors.ts';
import type { DriverQueries } from '../driver.ts';
import type { Value } from '../port.ts';
import { begin } from './connect.ts';
import { isBroken, translate } from './errors.ts';

export interface Session extends DriverQueries {
  begin(): Promise<Begun>;
  rollback(): Promise<void>;
  /** Also rejects if the server says that it committed without waiting for its replicas after all. */
  commit(): Promise<void>;
  /** Whether the connection is of no more use. */
  readonly broken: boolean;
}

/** How the server identifies the transaction: by its server process, and when it began (server clock, seconds). */
export interface Begun {
  readonly pid: number;
  readonly since: string;
}

/**
 * A migration may rebuild the indexes of a large ledger; if it were given up on this side, no run would ever get past
 * it.
 */
const longestScriptMs = 600_000;

/** The SQLSTATE of a notice that warns of nothing. */
const successful = '00000';

/** Queries on a connection that is lent out. They reject as `translate` says, with the words of `location`. */
export function sessionOn(client: PoolClient, location: string): Session {
  let broken = false;
  const guard = async <T>(work: Promise<T>, committing = false): Promise<T> => {
    try {
      return await work;
    } catch (cause) {
      broken ||= isBroken(cause);
      throw translate(cause, location, committing);
    }
  };
  const execute = async (sql: string, parameters: readonly Value[] = []) =>
    (await guard(client.query(sql, [...parameters]))).rowCount ?? 0;
  return {
    query: async <T extends object>(sql: string, parameters: readonly Value[] = []) =>
      (await guard(client.query<T>(sql, [...parameters]))).rows,
    execute,
    async executeEach(sql, rows) {
      const changes: number[] = [];
      for (const row of rows) changes.push(await execute(sql, row));
      return changes;
    },
    script: async (sql) => {
      const patient: QueryConfig & { query_timeout: number } = { text: sql, query_timeout: longestScriptMs };
      await guard(client.query(patient));
    },
    begin: async () => {
      // Two statements, two results.
      const results = (await guard(client.query(begin))) as unknown as QueryResult<Begun>[];
      const [begun] = results.at(-1)?.rows ?? [];
      if (begun === undefined) throw storageError(`${location} did not show its transaction`);
      return begun;
    },
    rollback: async () => {
      await guard(client.query('ROLLBACK'));
    },
    commit: async () => {
      const warnings: string[] = [];
      // Goes by the code, because the severity is a word in the server's language.
      const note = ({ code, message = '' }: { code?: string | undefined; message?: string | undefined }) => {
        if (code !== successful) warnings.push(message);
      };
      client.on('notice', note);
      try {
        const { command } = await guard(client.query('COMMIT'), true);
        if (command === 'COMMIT' && warnings.length === 0) return;
        throw unconfirmed(location, warnings.join('; ') || command);
      } finally {
        client.off('notice', note);
      }
    },
    get broken() {
      return broken;
    },
  };
}

/** The error for what is committed on one disk only. */
export const unconfirmed = (location: string, why: string, cause?: unknown) =>
  storageError(
    `${location} did not commit as it was asked to: what it committed may be lost in a failover: ${why}`,
    { hint: 'Check its synchronous replicas, then run again.', cause },
  );
