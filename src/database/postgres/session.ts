/** One connection while it is lent out: its queries, and whether it broke meanwhile. */
import type { PoolClient } from 'pg';
import type { DriverQueries } from '../driver.ts';
import type { Value } from '../port.ts';
import { isBroken, translate } from './errors.ts';

export interface Session extends DriverQueries {
  /** `BEGIN`, `COMMIT`, `ROLLBACK`. */
  control(sql: string): Promise<void>;
  /** The connection is of no more use. */
  readonly broken: boolean;
}

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
  return {
    query: async <T extends object>(sql: string, parameters: readonly Value[] = []) =>
      (await guard(client.query<T>(sql, [...parameters]))).rows,
    execute: async (sql, parameters = []) => (await guard(client.query(sql, [...parameters]))).rowCount ?? 0,
    script: async (sql) => {
      await guard(client.query(sql));
    },
    control: async (sql) => {
      await guard(client.query(sql), sql === 'COMMIT');
    },
    get broken() {
      return broken;
    },
  };
}
