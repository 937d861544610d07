/**
 * Looks on which it rests that nothing is sent twice. An index of a damaged file may lack rows, which no statement
 * tells: what one index does not have is looked for by another one, where that takes no longer.
 */
import type { IdempotencyKey } from '../contract/brand.ts';
import type { Database, Queries } from '../database/port.ts';
import type { PixctlError } from '../errors.ts';
import { indexDamage } from './damage.ts';
import { type Intent, openStates, type Scope } from './intent.ts';
import { intentId } from './intent-id.ts';
import { only } from './read.ts';
import type { IntentRow } from './rows.ts';
import { lastSent as byFence, openIntent, spentSince as sumSince } from './send.ts';

/** Throws `storage` (74) if its key does not lead to it. Rows of earlier versions are found by their key alone. */
export async function find(database: Database, scope: Scope, key: IdempotencyKey): Promise<Intent | null> {
  const found = await byKey(database, scope, key);
  if (found !== null) return found;
  const byId = 'SELECT id FROM ledger_intents WHERE id = $1';
  if ((await database.query(byId, [intentId(scope, key)])).length === 0) return null;
  // Or another process has just made it.
  const made = await byKey(database, scope, key);
  if (made === null) throw keyIsMissing(database, key);
  return made;
}

/**
 * The withdrawal that is SENDING or UNKNOWN. Nothing else is sent meanwhile, so it is the one that was sent last:
 * throws `storage` (74) if that one is open, and its state does not lead to it.
 */
export async function open(database: Database, scope: Scope): Promise<Intent | null> {
  const [last, found] = await lastAndOpen(database, scope);
  if (found === null && last !== null && openStates.includes(last.state))
    throw keyIsMissing(database, last.idempotencyKey);
  return found;
}

/** In one statement, so that nobody changes the one while the other is read. */
async function lastAndOpen(database: Database, scope: Scope): Promise<[Intent | null, Intent | null]> {
  const rows = await database.query<IntentRow & { way: 'last' | 'open' }>(
    `SELECT 'open' AS way, one.* FROM (${openIntent(database)}) AS one
     UNION ALL SELECT 'last' AS way, one.* FROM (
       SELECT * FROM ledger_intents WHERE scope = $1 AND kind = 'withdrawal' AND fence IS NOT NULL
       ORDER BY fence DESC LIMIT 1) AS one`,
    [scope],
  );
  const by = (wanted: 'last' | 'open') => only(rows.filter(({ way }) => way === wanted));
  return [by('last'), by('open')];
}

/** As `Ledger.lastSent`. Throws `storage` (74) if the key of what its number leads to does not lead to it. */
export async function lastSent(
  database: Database,
  scope: Scope,
  request: string,
  from: number,
): Promise<Intent | null> {
  const last = only(await database.query<IntentRow>(byFence, [scope, request, from]));
  if (last !== null && (await byKey(database, scope, last.idempotencyKey)) === null)
    throw keyIsMissing(database, last.idempotencyKey);
  return last;
}

/** As `Ledger.spentSince`. Throws `storage` (74) if an index lacks rows: a damaged cap must not become no cap. */
export async function spentSince(database: Database, scope: Scope, since: number): Promise<number> {
  if (database.dialect === 'sqlite') {
    const counted = (index: string) =>
      `(SELECT COUNT(*) FROM ledger_intents INDEXED BY ${index} WHERE scope = $1 AND kind = 'withdrawal')`;
    const [row] = await database.query<{ seen: number; held: number }>(
      `SELECT ${counted('ledger_by_time')} AS seen, ${counted('sqlite_autoindex_ledger_intents_4')} AS held`,
      [scope],
    );
    if (row !== undefined && row.seen !== row.held)
      throw indexDamage(database, `${Math.abs(row.held - row.seen)} keys are`);
  }
  return sumSince(database, scope, since);
}

const byKey = async (queries: Queries, scope: Scope, key: IdempotencyKey): Promise<Intent | null> =>
  only(
    await queries.query<IntentRow>('SELECT * FROM ledger_intents WHERE scope = $1 AND idempotency_key = $2', [
      scope,
      key,
    ]),
  );

const keyIsMissing = (database: Database, key: IdempotencyKey): PixctlError =>
  indexDamage(database, `the key ${JSON.stringify(key)} is`);
