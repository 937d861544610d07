/** Whether the ledger's file is whole: its indexes may lack rows that exist, and no statement reports that. */
import type { Database } from '../database/port.ts';
import { mendIndexes } from '../database/sqlite/errors.ts';
import { type PixctlError, storageError } from '../errors.ts';
import { commandLine } from '../flags/command-line.ts';

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

function damaged({ dialect, location }: Database, found: string): PixctlError {
  // The rows exist, so what leads to them can be rebuilt from them.
  const anew =
    dialect === 'sqlite' ? commandLine(['sqlite3', location, 'REINDEX']) : 'REINDEX TABLE ledger_intents';
  const mend = /\bindex\b/.test(found) ? mendIndexes(anew) : 'Restore';
  return storageError(`the ledger ${location} is damaged (${found}); nothing was sent`, {
    hint: `${mend} it from a backup. Run pixctl withdrawal audit before the next payment, and never delete a ledger while the outcome of a withdrawal may be unknown.`,
  });
}
