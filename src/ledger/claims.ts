/** All keys of a scope, part by part: what they claim, and what became of them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IdempotencyKey } from '../contract/brand.ts';
import type { Database } from '../database/port.ts';
import { indexDamage } from './damage.ts';
import type { Intent, IntentKind, Scope } from './intent.ts';
import type { Claim } from './ledger.ts';
import { type IntentRow, toIntent } from './rows.ts';

/** The rows of one part: reading it takes a few milliseconds, during which no signal is heard. */
const partSize = 500;

type ClaimRow = Pick<IntentRow, 'kind' | 'idempotency_key' | 'resource_id' | 'version'>;

/** Implements `Ledger.listClaims`. */
export async function* listClaims(
  database: Database,
  scope: Scope,
  kind: IntentKind,
): AsyncGenerator<readonly Claim[]> {
  for await (const rows of parts<ClaimRow>(database, scope, 'kind, idempotency_key, resource_id, version'))
    yield rows
      .filter((row) => row.kind === kind)
      .map((row) => ({
        idempotencyKey: row.idempotency_key as IdempotencyKey,
        resourceId: row.resource_id,
        version: row.version,
      }));
}

/** Implements `Ledger.listIntents`. */
export async function* listIntents(
  database: Database,
  scope: Scope,
  kind: IntentKind,
): AsyncGenerator<readonly Intent[]> {
  for await (const rows of parts<IntentRow>(database, scope, '*'))
    yield rows.filter((row) => row.kind === kind).map(toIntent);
}

/** Rows of every kind. Throws `storage` (74) at the end if the index of the keys has left rows out. */
async function* parts<Row extends ClaimRow>(
  database: Database,
  scope: Scope,
  columns: string,
): AsyncGenerator<readonly Row[]> {
  const held = await countRows(database, scope);
  let seen = 0;
  let last = '';
  for (;;) {
    // Not filtered by kind, so that the index of the keys is read in its own order and nothing is sorted.
    const rows = await database.query<Row>(
      `SELECT ${columns} FROM ledger_intents
       WHERE scope = $1 AND idempotency_key > $2 ORDER BY idempotency_key LIMIT $3`,
      [scope, last, partSize],
    );
    yield rows;
    seen += rows.length;
    if (rows.length < partSize) break;
    last = rows.at(-1)?.idempotency_key ?? '';
    await nextTurn();
  }
  // There may be more, made meanwhile, but never fewer: no row is ever removed.
  if (seen < held) throw indexDamage(database, `${held - seen} of ${held} keys are`);
}

/**
 * How many rows the table itself holds, at a fraction of the cost of the whole reading. PostgreSQL guards its own
 * files.
 */
async function countRows(database: Database, scope: Scope): Promise<number> {
  if (database.dialect !== 'sqlite') return 0;
  const count = 'SELECT COUNT(*) AS held FROM ledger_intents NOT INDEXED WHERE scope = $1';
  const [row] = await database.query<{ held: number }>(count, [scope]);
  return row?.held ?? 0;
}
