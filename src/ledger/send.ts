/** Enters SENDING: the one transaction that has to be durable before a byte may leave. */
import { ConstraintError, type Database, type Queries } from '../database/port.ts';
import { sqlOneOf } from '../database/sql-one-of.ts';
import type { PixctlError } from '../errors.ts';
import { assertIdLeads, indexDamage } from './damage.ts';
import { type Intent, type NewEvent, type Scope, spendingStates } from './intent.ts';
import type { MarkSendingOptions, SendingResult } from './ledger.ts';
import { insertEvent, updateIntent } from './rows.ts';
import { toSending } from './transitions.ts';

/** Implements `Ledger.markSending`. */
export async function markSending(
  database: Database,
  intent: Intent,
  sending: MarkSendingOptions,
  event: NewEvent,
): Promise<SendingResult> {
  const baseline = new Set(sending.baseline);
  const departed = database.transactionSync === undefined;
  const next = toSending(intent, sending, event, { listedCount: baseline.size, departed });
  if (next === null) return { kind: 'stale' };
  try {
    const result = await database.transaction(async (tx): Promise<SendingResult> => {
      // The row first: its constraints make every other sender of the scope wait or give way.
      if ((await tx.query(...updateIntent(next))).length === 0) return { kind: 'stale' };
      if (next.kind === 'withdrawal') await holdFence(database, tx, next, sending, baseline);
      await tx.query(...insertEvent(next, event));
      return { kind: 'sending', intent: next };
    });
    if (result.kind === 'stale') await assertIdLeads(database, intent);
    return result;
  } catch (cause) {
    if (cause instanceof RollbackWithResult) return cause.result;
    if (!(cause instanceof ConstraintError)) throw cause;
    const [open] = await database.query(openIntentSql(database), [intent.scope]);
    return { kind: open === undefined ? 'stale' : 'busy' };
  }
}

/** Ends the transaction with a result instead of an error. */
class RollbackWithResult extends Error {
  readonly result: SendingResult;
  constructor(result: SendingResult) {
    super(result.kind);
    this.result = result;
  }
}

/**
 * Names the index, because SQLite would rather go through all withdrawals of the scope: more than a second for a
 * million.
 */
export const openIntentSql = ({ dialect }: Database): string =>
  `SELECT * FROM ledger_intents ${dialect === 'sqlite' ? 'INDEXED BY ledger_one_open' : ''}
  WHERE scope = $1 AND kind = 'withdrawal' AND state IN ('SENDING', 'UNKNOWN')`;

async function holdFence(
  database: Database,
  tx: Queries,
  intent: Intent,
  { expectedFence, limit }: MarkSendingOptions,
  baseline: ReadonlySet<string>,
): Promise<void> {
  if ((await latestFence(tx, intent.scope)) !== expectedFence + 1)
    throw new RollbackWithResult({ kind: 'stale' });
  if (limit !== undefined) {
    const spent = (await spentSince(tx, intent.scope, limit.since)) - intent.amount;
    if (spent + intent.amount > limit.cents) throw new RollbackWithResult({ kind: 'over-limit', spent });
  }
  const seen = await tx.query<{ id: string }>(
    'SELECT withdrawal_id AS id FROM ledger_seen WHERE scope = $1',
    [intent.scope],
  );
  const listed = await listedAt(database, tx, intent.scope, expectedFence);
  if (seen.length < listed) throw missingListedIdsError(database);
  const known = new Set(seen.map(({ id }) => id));
  await insertSeen(
    tx,
    intent,
    [...baseline].filter((id) => !known.has(id)),
  );
}

/**
 * How many ids the service had listed before the scope's send of that number; none of them is ever removed. 0 if that
 * is not known, and on PostgreSQL, which guards its own files.
 */
export async function listedAt(
  { dialect }: Database,
  queries: Queries,
  scope: Scope,
  fence: number,
): Promise<number> {
  if (dialect !== 'sqlite') return 0;
  const [row] = await queries.query<{ listed: number | null }>(
    "SELECT listed FROM ledger_intents WHERE scope = $1 AND kind = 'withdrawal' AND fence = $2",
    [scope, fence],
  );
  return row?.listed ?? 0;
}

/** The error for missing ids. Writing them a second time would keep the index from being rebuilt. */
export const missingListedIdsError = (database: Database): PixctlError =>
  indexDamage(database, 'ids that the service had listed are');

/** Uses one statement for each power of two of rows, so that few statements are prepared however many ids are new. */
async function insertSeen(tx: Queries, intent: Intent, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; ) {
    const rows = Math.min(256, 2 ** Math.floor(Math.log2(ids.length - at)));
    const values = Array.from({ length: rows }, (_, row) => `($1, $${row + 3}, $2)`).join(', ');
    await tx.query(`INSERT INTO ledger_seen (scope, withdrawal_id, fence) VALUES ${values}`, [
      intent.scope,
      intent.fence,
      ...ids.slice(at, at + rows),
    ]);
    at += rows;
  }
}

/** The highest number of a send of the scope, according to the index of these numbers; 0 before the first. */
export async function latestFence(tx: Queries, scope: Scope): Promise<number> {
  const [row] = await tx.query<{ fence: number | null }>(
    "SELECT MAX(fence) AS fence FROM ledger_intents WHERE scope = $1 AND kind = 'withdrawal'",
    [scope],
  );
  return row?.fence ?? 0;
}

/**
 * `$2`: milliseconds since the epoch. If a person named a withdrawal for a key that was never sent, nobody knows when
 * that money moved. The time when the key was planned stands in for it, so that what a restored ledger paid today
 * counts against the day.
 */
const spentSinceConditions = ['sent_at >= $2', '(sent_at IS NULL AND created_at >= $2)'];
export const spentSinceCondition = `(${spentSinceConditions.join(' OR ')})`;

/**
 * Cents of withdrawals sent since `since` that moved money or may have. Asks for each condition by itself: for both in
 * one, SQLite goes through all that the scope has ever sent.
 */
export async function spentSince(tx: Queries, scope: Scope, since: number): Promise<number> {
  const amounts = spentSinceConditions.map(
    (condition) => `SELECT amount FROM ledger_intents
     WHERE scope = $1 AND kind = 'withdrawal' AND ${condition} AND ${sqlOneOf('state', spendingStates)}`,
  );
  const [row] = await tx.query<{ cents: number | null }>(
    `SELECT CAST(SUM(amount) AS BIGINT) AS cents FROM (${amounts.join(' UNION ALL ')}) AS spent`,
    [scope, since],
  );
  return row?.cents ?? 0;
}
