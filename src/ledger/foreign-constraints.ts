/**
 * A database on which `ConstraintError` always means one of the ledger's own rules, which say that another sender was
 * first. On PostgreSQL, somebody may have added constraints, indexes or triggers: what these refuse proves neither
 * another sender nor that a withdrawal belongs to another key.
 */
import { ConstraintError, type Database } from '../database/port.ts';
import { configError } from '../errors.ts';

/** Wraps the database: throws `configError` (78, `DATABASE_RULE`) if a rule refuses that is not the ledger's. */
export function assertNoForeignConstraints(database: Database): Database {
  if (database.dialect === 'sqlite') return database;
  const guard = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (cause) {
      throw isForeign(cause) ? refused(database.location, cause) : cause;
    }
  };
  return {
    ...database,
    query: (sql, parameters) => guard(database.query(sql, parameters)),
    execute: (sql, parameters) => guard(database.execute(sql, parameters)),
    transaction: (work) => guard(database.transaction(work)),
    write: (work) => guard(database.write(work)),
  };
}

const own = /^ledger_(?:(?:one|known)_\w+|(?:identity|intents|events|seen)_pkey)$/;

const isForeign = (cause: unknown): cause is ConstraintError =>
  cause instanceof ConstraintError && !own.test(cause.constraint);

const refused = (location: string, { constraint, cause }: ConstraintError) =>
  configError(
    'DATABASE_RULE',
    `${location} refused a row of the ledger: ${cause instanceof Error ? cause.message : constraint}`,
    "Remove the constraint, index or trigger that was added to the ledger's tables, then run again.",
    { cause },
  );
