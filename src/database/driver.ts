/** What the migrations need of a driver beyond the port. */
import type { Commit, Database, Transaction } from './port.ts';

export interface DriverQueries extends Transaction {
  /** Runs several statements without parameters. */
  script(sql: string): Promise<void>;
}

export interface Driver extends Database {
  transaction<T>(work: (tx: DriverQueries) => Promise<T>): Promise<T>;
  write<T>(work: (tx: DriverQueries) => Promise<T>): Promise<Commit<T>>;
  hasTable(name: string): Promise<boolean>;
}

/** The `write` of a driver whose commits are durable at once. */
export const durableAtOnce =
  (transaction: Driver['transaction']): Driver['write'] =>
  async (work) => ({ value: await transaction(work), durable: () => Promise.resolve() });
