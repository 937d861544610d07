/** Whether the ledger's file is whole: its indexes may lack rows that exist, and no statement reports that. */
import type { IdempotencyKey } from '../contract/brand.ts';
import type { Database } from '../database/port.ts';
import { mendIndexes } from '../database/sqlite/errors.ts';
import { type PixctlError, storageError } from '../errors.ts';
import { commandLine } from '../flags/command-line.ts';
import type { Intent } from './intent.ts';

/** Resolves with what is damaged, or null. Reads all of an embedded ledger; PostgreSQL guards its own files. */
export async function findDamage(database: Database): Promise<PixctlError | null> {
  if (database.dialect !== 'sqlite') return null;
  const [row] = await database.query<{ integrity_check: string }>('PRAGMA integrity_check(1)');
  const found = row?.integrity_check ?? 'ok';
  return found === 'ok' ? null : damaged(database, found);
}

/** The error for rows that exist but are missing from an index. `what`: which ones, with the verb. */
export const indexDamage = (database: Database, what: string): PixctlError =>
  damaged(database, `${what} missing in an index`);

/** The same for a key of the ledger. */
export const missingKeyError = (database: Database, key: IdempotencyKey): PixctlError =>
  indexDamage(database, `the key ${JSON.stringify(key)} is`);

/**
 * Throws `storage` (74) if an intent of a SQLite file that was not changed because its id did not lead to it is there
 * all the same: nobody else has changed it, and no later try could.
 */
export async function assertIdLeads(
  database: Database,
  { id, scope, idempotencyKey }: Pick<Intent, 'id' | 'scope' | 'idempotencyKey'>,
): Promise<void> {
  if (database.dialect !== 'sqlite') return;
  const [row] = await database.query(
    `SELECT 1 AS row FROM ledger_intents WHERE scope = $1 AND idempotency_key = $2
     AND NOT EXISTS (SELECT 1 FROM ledger_intents WHERE id = $3)`,
    [scope, idempotencyKey, id],
  );
  if (row !== undefined) throw missingKeyError(database, idempotencyKey);
}

function damaged({ dialect, location }: Database, found: string): PixctlError {
  // The rows exist, so what leads to them can be rebuilt from them.
  const anew =
    dialect === 'sqlite' ? commandLine(['sqlite3', location, 'REINDEX']) : 'REINDEX TABLE ledger_intents';
  const mend = /\bindex\b/.test(found) ? mendIndexes(anew) : 'Restore';
  return storageError(`the ledger ${location} is damaged (${found}); nothing was sent`, {
    hint: `${mend} it from a backup. Run pixctl withdrawal audit before the next payment, and never delete a ledger while the outcome of a withdrawal may be unknown.`,
  });
}
