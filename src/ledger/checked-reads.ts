/**
 * The reads on which "nothing is sent twice" rests. An index of a damaged file may lack rows, and no statement reports
 * that: what one index does not have is looked up in another, where that takes no longer.
 */
import type { IdempotencyKey } from '../contract/brand.ts';
import type { Database, Queries } from '../database/port.ts';
import type { PixctlError } from '../errors.ts';
import { indexDamage, missingKeyError } from './damage.ts';
import { type Intent, type IntentKind, isOpen, type Scope } from './intent.ts';
import { intentId } from './intent-id.ts';
import type { IntentSelector } from './ledger.ts';
import { findByIndex, findClaimedIds, toSingleIntent } from './read.ts';
import type { IntentRow } from './rows.ts';
import {
  latestFence,
  listedAt,
  missingListedIdsError,
  openIntentSql,
  spentSince as sumSince,
} from './send.ts';

/**
 * Finds the intent of a key. Throws `storage` (74) if it exists but its key does not lead to it. Rows of earlier
 * versions can be found by their key alone.
 */
export async function find(database: Database, scope: Scope, key: IdempotencyKey): Promise<Intent | null> {
  const found = await byKey(database, scope, key);
  if (found !== null) return found;
  const byId = 'SELECT id FROM ledger_intents WHERE id = $1';
  if ((await database.query(byId, [intentId(scope, key)])).length === 0) return null;
  // It may also be that another process has just made it.
  const made = await byKey(database, scope, key);
  if (made === null) throw missingKeyError(database, key);
  return made;
}

/**
 * Finds the withdrawal that is SENDING or UNKNOWN. Nothing else is sent meanwhile, so it must be the last one sent:
 * throws `storage` (74) if that one is open but its state does not lead to it, or if its number does not.
 */
export async function findOpen(database: Database, scope: Scope): Promise<Intent | null> {
  const rows = await newestSends(database, scope);
  const by = (wanted: Way) => rows.filter(({ way }) => way === wanted);
  const [last, found] = [toSingleIntent(by('last')), toSingleIntent(by('open'))];
  const [newest] = by('newest');
  assertHighestFence(database, last?.fence, newest?.fence);
  assertHighestFence(database, last?.fence, found?.fence);
  if (found === null && last !== null && isOpen(last)) throw missingKeyError(database, last.idempotencyKey);
  return found;
}

/** In one statement, so that nobody changes one while another is being read. */
function newestSends(database: Database, scope: Scope) {
  const as = (way: Way, sql: string) => `SELECT '${way}' AS way, one.* FROM (${sql}) AS one`;
  const sends = [
    as('open', openIntentSql(database)),
    as(
      'last',
      `SELECT * FROM ledger_intents WHERE scope = $1 AND kind = 'withdrawal' AND fence IS NOT NULL
       ORDER BY fence DESC LIMIT 1`,
    ),
    ...(database.dialect === 'sqlite' ? [as('newest', newestByTime('*'))] : []),
  ];
  return database.query<IntentRow & { way: Way }>(sends.join(' UNION ALL '), [scope]);
}

type Way = 'open' | 'last' | 'newest';

/** If the clock has gone back meanwhile, this is not the last one. */
const newestByTime = (columns: string) =>
  `SELECT ${columns} FROM ledger_intents INDEXED BY ledger_by_time
   WHERE scope = $1 AND kind = 'withdrawal' AND sent_at IS NOT NULL ORDER BY sent_at DESC LIMIT 1`;

/**
 * Implements `Ledger.fence`. Throws `storage` (74) if some send has a higher number, which the next send would then
 * reuse.
 */
export async function fence(database: Database, scope: Scope): Promise<number> {
  if (database.dialect !== 'sqlite') return latestFence(database, scope);
  const [row] = await database.query<{ last: number | null; newest: number | null }>(
    `SELECT (SELECT MAX(fence) FROM ledger_intents WHERE scope = $1 AND kind = 'withdrawal') AS last,
       (${newestByTime('fence')}) AS newest`,
    [scope],
  );
  assertHighestFence(database, row?.last, row?.newest);
  return row?.last ?? 0;
}

/** `last`: the highest number of a send, according to the index of these numbers. */
function assertHighestFence(database: Database, last: Fence, other: Fence): void {
  if ((other ?? 0) > (last ?? 0)) throw indexDamage(database, `the number ${other} of a send is`);
}

type Fence = number | null | undefined;

/**
 * Implements `Ledger.baseline`. Throws `storage` (74) if there are fewer ids than the service had listed before that
 * send.
 */
export async function baseline(
  database: Database,
  scope: Scope,
  number: number,
): Promise<ReadonlySet<string>> {
  // Read before the ids: both are written together, and ids are only ever added.
  const listed = await listedAt(database, database, scope, number);
  const rows = await database.query<{ id: string }>(
    'SELECT withdrawal_id AS id FROM ledger_seen WHERE scope = $1 AND fence <= $2',
    [scope, number],
  );
  if (rows.length < listed) throw missingListedIdsError(database);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Implements `Ledger.findMany`. Throws `storage` (74) if the table holds a claim of one of the ids and its index does
 * not.
 */
export async function findMany(
  database: Database,
  scope: Scope,
  kind: IntentKind,
  selector: IntentSelector,
): Promise<Intent[]> {
  const found = await findByIndex(database, scope, kind, selector);
  if (!('resourceIds' in selector) || database.dialect !== 'sqlite') return found;
  const ids = new Set(found.map(({ resourceId }) => resourceId));
  const others = selector.resourceIds.filter((id) => !ids.has(id));
  const missed = await findClaimedIds(database, scope, kind, others, { byTable: true });
  const [first] = missed;
  if (first === undefined) return found;
  // It may also be that another process has just claimed it.
  const made = await findByIndex(database, scope, kind, { resourceIds: [...missed] });
  if (made.length < missed.size) throw missingClaimError(database, first);
  return [...found, ...made];
}

/** Call it once the claim is written. Throws `storage` (74) if another intent in the table has the same claim. */
export async function assertSingleClaim(
  database: Database,
  tx: Queries,
  { id, scope, kind, resourceId }: Intent,
): Promise<void> {
  if (database.dialect !== 'sqlite' || resourceId === null) return;
  const other = await tx.query(
    `SELECT id FROM ledger_intents NOT INDEXED
     WHERE scope = $1 AND kind = $2 AND resource_id = $3 AND id <> $4 LIMIT 1`,
    [scope, kind, resourceId, id],
  );
  if (other.length > 0) throw missingClaimError(database, resourceId);
}

/**
 * Implements `Ledger.lastSent`. Throws `storage` (74) if the key of the intent that its number leads to does not lead
 * to it.
 */
export async function lastSent(
  database: Database,
  scope: Scope,
  request: string,
  from: number,
): Promise<Intent | null> {
  const last = toSingleIntent(
    await database.query<IntentRow>(
      `SELECT * FROM ledger_intents WHERE scope = $1 AND kind = 'withdrawal' AND request = $2 AND fence >= $3
       ORDER BY fence DESC LIMIT 1`,
      [scope, request, from],
    ),
  );
  if (last !== null && (await byKey(database, scope, last.idempotencyKey)) === null)
    throw missingKeyError(database, last.idempotencyKey);
  return last;
}

/**
 * Implements `Ledger.spentSince`. Throws `storage` (74) if an index lacks rows: a damaged cap must not become no cap.
 */
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
  toSingleIntent(
    await queries.query<IntentRow>('SELECT * FROM ledger_intents WHERE scope = $1 AND idempotency_key = $2', [
      scope,
      key,
    ]),
  );

const missingClaimError = (database: Database, id: string): PixctlError =>
  indexDamage(database, `the key that claims ${id} is`);
