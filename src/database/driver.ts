/** What the migrations need of a driver beyond the port. */
import type { Database, Queries } from './port.ts';

export interface DriverQueries extends Queries {
  /** Runs several statements without parameters. */
  script(sql: string): Promise<void>;
}

export interface Driver extends Database {
  transaction<T>(work: (tx: DriverQueries) => Promise<T>): Promise<T>;
  hasTable(name: string): Promise<boolean>;
}
