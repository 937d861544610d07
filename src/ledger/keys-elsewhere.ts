/**
 * What the ledger has of a key in other scopes. That holds up a second payment, so in a SQLite file it is looked for in
 * two indexes, as a key of one's own scope is (`checked-reads.ts`).
 */
import type { IdempotencyKey } from '../contract/brand.ts';
import type { Database } from '../database/port.ts';
import { missingKeyError } from './damage.ts';
import type { Intent, Scope } from './intent.ts';
import { intentId } from './intent-id.ts';
import type { IntentSelector } from './ledger.ts';
import { indexOfClaims } from './owners-elsewhere.ts';
import { everyScope, findByIndex, queryInChunks } from './read.ts';
import { type IntentRow, toIntent } from './rows.ts';

/** Implements `Ledger.inEveryScope`. Throws `storage` (74) if the key exists in some scope and does not lead there. */
export const inEveryScope = (database: Database, key: IdempotencyKey): Promise<Intent[]> =>
  readByKeys(database, [key], async () => {
    const rows = await database.query<IntentRow>(
      `${everyScope()} SELECT ledger_intents.* FROM every
       JOIN ledger_intents ON ledger_intents.scope = every.scope AND idempotency_key = $1
       WHERE kind = 'withdrawal'`,
      [key],
    );
    return rows.map(toIntent);
  });

/** Implements `Ledger.inOtherScopes`. Throws as `inEveryScope` does if asked for keys. */
export function inOtherScopes(database: Database, scope: Scope, selector: IntentSelector): Promise<Intent[]> {
  const read = async () => {
    const found: Intent[] = [];
    for (const other of await listScopes(database))
      if (other !== scope)
        for (const intent of await findByIndex(database, other, 'withdrawal', selector)) found.push(intent);
    return found;
  };
  return 'keys' in selector ? readByKeys(database, selector.keys, read, scope) : read();
}

/**
 * Returns what `read` finds of the keys by their index, in every scope but `except`. Their ids must lead to no more;
 * rows of earlier versions, whose ids are random, can be found by their key alone.
 */
async function readByKeys(
  database: Database,
  keys: readonly IdempotencyKey[],
  read: () => Promise<Intent[]>,
  except?: Scope,
): Promise<Intent[]> {
  const found = await read();
  if (database.dialect !== 'sqlite') return found;
  const seen = new Set(found.map(({ id }) => id));
  const scopes = (await listScopes(database, `INDEXED BY ${indexOfClaims}`)).filter((one) => one !== except);
  const ids = scopes.flatMap((scope) => keys.map((key) => intentId(scope, key)));
  const missed = await queryInChunks<{ id: string; key: IdempotencyKey }>(
    database,
    ids.filter((id) => !seen.has(id)),
    [],
    (some) =>
      `SELECT id, idempotency_key AS key FROM ledger_intents WHERE kind = 'withdrawal' AND id IN (${some})`,
  );
  if (missed.length === 0) return found;
  // It may also be that another process has just made them.
  const again = await read();
  const lost = missed.find((one) => !again.some(({ id }) => id === one.id));
  if (lost !== undefined) throw missingKeyError(database, lost.key);
  return again;
}

/** Implements `Ledger.scopes`. One that an index of a damaged file lacks is found in another. */
export async function scopes(database: Database): Promise<Scope[]> {
  const byKeys = await listScopes(database);
  if (database.dialect !== 'sqlite') return byKeys;
  return [...new Set([...byKeys, ...(await listScopes(database, `INDEXED BY ${indexOfClaims}`))])];
}

async function listScopes(database: Database, by?: string): Promise<Scope[]> {
  const rows = await database.query<{ scope: Scope }>(
    `${everyScope(by)} SELECT scope FROM every WHERE scope IS NOT NULL`,
  );
  return rows.map(({ scope }) => scope);
}
