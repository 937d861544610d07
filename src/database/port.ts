/**
 * The port behind everything durable that may be shared between hosts: the ledger and the inbox.
 * Drivers: `sqlite` (embedded, `node:sqlite`) and `postgres` (several hosts). Nothing is opened before
 * `open()` is called, and rooms write SQL that both dialects accept: `$1, $2` parameters, `TEXT` and
 * `BIGINT`/`INTEGER` columns, `BLOB`/`BYTEA` through `{{blob}}` in migrations, no dialect functions.
 */
export type Value = string | number | bigint | null | Uint8Array;
export type Row = Record<string, unknown>;

export interface Queries {
  /** Runs one statement and returns its rows (`RETURNING` included). Throws `ConstraintError` on a constraint. */
  query<T extends object = Row>(sql: string, parameters?: readonly Value[]): Promise<T[]>;
  /** Runs one statement and returns how many rows it changed. Throws as `query` does. */
  execute(sql: string, parameters?: readonly Value[]): Promise<number>;
}

/** Within a transaction. */
export interface Transaction extends Queries {
  /**
   * Runs one statement for each of the rows of parameters, in their order, up to the first that fails, and returns
   * how many rows each changed. For SQLite: over a network each is a round trip.
   */
  executeEach(sql: string, rows: readonly (readonly Value[])[]): Promise<number[]>;
}

export interface QueriesNow {
  query<T extends object = Row>(sql: string, parameters?: readonly Value[]): T[];
}

export interface Database extends Queries {
  readonly dialect: 'sqlite' | 'postgres';
  /** Where the data lies, without credentials: for messages. */
  readonly location: string;
  /**
   * Runs `work` in one transaction: committed durably when it resolves, rolled back when it rejects.
   * SQLite: `BEGIN IMMEDIATE`, one at a time in this process. PostgreSQL: one pooled connection, READ
   * COMMITTED; `work` runs again after a deadlock or a serialization failure, so it must have no effects
   * of its own.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * The same in two steps, so that work may go on while the disk is waited for: resolves once committed, which
   * outlives this process and is seen by others; `durable()` resolves once it outlives a power cut too.
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<Written<T>>;
  /**
   * The embedded driver only: a transaction without giving way, for the one place that cannot wait (the moment
   * before the first byte). When it returns, it outlives this process, though not yet a power cut: it is put on the
   * disk while its caller goes on, and the next durable transaction tells if that failed. Throws when another
   * transaction of this process is open, and when the file is no longer where it was.
   */
  readonly transactionNow?: <T>(work: (tx: QueriesNow) => T) => T;
  close(): Promise<void>;
}

export interface Written<T> {
  readonly value: T;
  /**
   * Asks for a flush and waits for it; several calls ask once. `alone` is asked just before: nothing else is to be
   * done meanwhile, so that the flush may hold this thread. Rejects with `storageError`.
   */
  durable(alone?: () => boolean): Promise<void>;
}

/** A UNIQUE, CHECK or foreign key constraint refused a row. The constraints are the fence, so callers rely on it. */
export class ConstraintError extends Error {
  override readonly name = 'ConstraintError';
  /** Name of the constraint or index where the driver tells it, else the driver's own words. */
  readonly constraint: string;
  constructor(constraint: string, cause: unknown) {
    super(`constraint refused the row: ${constraint}`, { cause });
    this.constraint = constraint;
  }
}

/** A numbered migration: applied once, in order, in a transaction of its own. */
export interface Migration {
  /** From 1, without gaps. */
  readonly number: number;
  readonly name: string;
  /** Statements of both dialects; `{{blob}}` stands for the type of bytes. */
  readonly sql: string;
  /** Statements of one dialect only, run after `sql`: triggers. */
  readonly only?: Readonly<Partial<Record<Database['dialect'], string>>>;
  /**
   * Throws where the statements must not run now. Asked in their transaction, and of tables that are there already
   * also before any earlier migration is applied: it may read only what the first one makes.
   */
  readonly refuse?: (tx: Queries, database: Migrated) => Promise<void>;
}

export interface Migrated extends Pick<Database, 'location'> {
  /** Milliseconds since the epoch. */
  readonly now: number;
}
