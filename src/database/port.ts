/**
 * The port behind everything durable that may be shared between hosts: the ledger and the inbox. Drivers: `sqlite`
 * (embedded, `node:sqlite`) and `postgres` (several hosts). Nothing is opened before `open()` is called, and rooms
 * write SQL that both dialects accept: `$1, $2` parameters, `TEXT` and `BIGINT`/`INTEGER` columns, `BLOB`/`BYTEA`
 * through `{{blob}}` in migrations, no dialect functions.
 */
export type Value = string | number | bigint | null | Uint8Array;
export type Row = Record<string, unknown>;

export interface Queries {
  /** Runs one statement and returns its rows (`RETURNING` included). Throws `ConstraintError` on a constraint. */
  query<T extends object = Row>(sql: string, parameters?: readonly Value[]): Promise<T[]>;
  /** Runs one statement and returns how many rows it changed. Throws as `query` does. */
  execute(sql: string, parameters?: readonly Value[]): Promise<number>;
}

/** Queries within a transaction. */
export interface Transaction extends Queries {
  /**
   * Runs one statement for each row of parameters, in order, up to the first that fails, and returns how many rows each
   * changed. Meant for SQLite: over a network, each is a round trip.
   */
  executeEach(sql: string, rows: readonly (readonly Value[])[]): Promise<number[]>;
}

interface SyncQueries {
  query<T extends object = Row>(sql: string, parameters?: readonly Value[]): T[];
}

export interface Database extends Queries {
  readonly dialect: 'sqlite' | 'postgres';
  /** Where the data lies, for messages: without credentials. */
  readonly location: string;
  /**
   * Runs `work` in one transaction: committed durably when it resolves, rolled back when it rejects. SQLite: `BEGIN
   * IMMEDIATE`, one at a time in this process. PostgreSQL: one pooled connection, READ COMMITTED; `work` runs again
   * after a deadlock or a serialization failure, so it must have no effects of its own.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Like `transaction`, in two steps, so that work can go on while the disk is busy: resolves once the commit outlives
   * this process and others see it; `durable()` resolves once it outlives a power cut too.
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<Commit<T>>;
  /**
   * Only in the embedded driver: a synchronous transaction, for the one place that cannot wait (the moment before the
   * first byte). When it returns, the commit outlives this process, though not yet a power cut: it is flushed to disk
   * while the caller goes on, and if that fails, the next durable transaction reports it. Throws if another transaction
   * of this process is open, or if the file is no longer where it was.
   */
  readonly transactionSync?: <T>(work: (tx: SyncQueries) => T) => T;
  close(): Promise<void>;
}

export interface Commit<T> {
  readonly value: T;
  /**
   * Asks for a flush and waits for it; several calls ask only once. `alone` is called just before: it tells whether
   * this thread has nothing else to do meanwhile, so that the flush may block it. Rejects with `storageError`.
   */
  durable(alone?: () => boolean): Promise<void>;
}

/**
 * A UNIQUE, CHECK or foreign key constraint refused a row. Callers rely on this error: the constraints are the fence.
 */
export class ConstraintError extends Error {
  override readonly name = 'ConstraintError';
  /** The name of the constraint or index if the driver gives it, otherwise the driver's own words. */
  readonly constraint: string;
  constructor(constraint: string, cause: unknown) {
    super(`constraint refused the row: ${constraint}`, { cause });
    this.constraint = constraint;
  }
}

/** A numbered migration: applied once, in order, in its own transaction. */
export interface Migration {
  /** From 1, without gaps. */
  readonly number: number;
  readonly name: string;
  /** Statements for both dialects; `{{blob}}` stands for the type of bytes. */
  readonly sql: string;
  /** Statements for one dialect only, run after `sql`: triggers. */
  readonly only?: Readonly<Partial<Record<Database['dialect'], string>>>;
  /**
   * Throws if the statements must not run now. Called in their transaction and, for tables that exist already, also
   * before any earlier migration is applied: it may read only what the first one makes.
   */
  readonly assertApplicable?: (tx: Queries, database: Migrated) => Promise<void>;
}

export interface Migrated extends Pick<Database, 'location'> {
  /** Milliseconds since the epoch. */
  readonly now: number;
}
