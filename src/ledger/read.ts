/** Reads of intents, mostly of many at once. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { placeholders } from '../database/placeholders.ts';
import type { Queries, Value } from '../database/port.ts';
import { sqlOneOf } from '../database/sql-one-of.ts';
import { storageError } from '../errors.ts';
import {
  addressSuffixOf,
  type Intent,
  type IntentKind,
  openStates,
  type Scope,
  spendingStates,
} from './intent.ts';
import type { IntentSelector, ListFilter } from './ledger.ts';
import { type IntentRow, toIntent } from './rows.ts';
import { spentSinceCondition } from './send.ts';

/** The row that a constraint of the ledger allows only once. */
export function toSingleIntent(rows: readonly IntentRow[]): Intent | null {
  const [row, second] = rows;
  if (second !== undefined) throw storageError('the ledger holds two rows where its constraints allow one');
  return row === undefined ? null : toIntent(row);
}

/** Implements `Ledger.list`. */
export async function list(
  queries: Queries,
  scope: Scope,
  { kind, states, limit }: ListFilter,
): Promise<Intent[]> {
  const wanted: (string | number)[] = [scope];
  const put = (value: string | number) => `$${wanted.push(value)}`;
  const conditions = [
    'scope = $1',
    ...(kind === undefined ? [] : [`kind = ${put(kind)}`]),
    ...(states === undefined ? [] : [`state IN (${states.map(put).join(', ') || 'NULL'})`]),
  ];
  const rows = await queries.query<IntentRow>(
    `SELECT * FROM ledger_intents WHERE ${conditions.join(' AND ')}
     ORDER BY created_at DESC, id DESC${limit === undefined ? '' : ` LIMIT ${put(limit)}`}`,
    wanted,
  );
  return rows.map(toIntent);
}

/** Implements `Ledger.findMany`, by the indexes alone. */
export async function findByIndex(
  queries: Queries,
  scope: Scope,
  kind: IntentKind,
  selector: IntentSelector,
): Promise<Intent[]> {
  const find = (column: string, values: readonly string[]) =>
    queryInChunks<IntentRow>(
      queries,
      values,
      [scope],
      (some) => `SELECT * FROM ledger_intents WHERE scope = $1 AND ${column} IN (${some})`,
    );
  // Not filtered by kind: rather than look up five keys, SQLite would go through all that the scope has of that kind.
  const rows = await ('keys' in selector
    ? find('idempotency_key', selector.keys)
    : find(`kind = '${kind}' AND resource_id`, selector.resourceIds));
  return rows.filter((row) => row.kind === kind).map(toIntent);
}

/** `byTable`: reads every row of a SQLite file without using an index, which may lack some. */
export async function findClaimedIds(
  queries: Queries,
  scope: Scope,
  kind: IntentKind,
  ids: Iterable<string>,
  { byTable = false }: { readonly byTable?: boolean } = {},
): Promise<ReadonlySet<string>> {
  const table = `ledger_intents${byTable ? ' NOT INDEXED' : ''}`;
  const rows = await queryInChunks<{ id: string }>(
    queries,
    [...ids],
    [scope, kind],
    (some) =>
      `SELECT resource_id AS id FROM ${table} WHERE scope = $1 AND kind = $2 AND resource_id IN (${some})`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Implements `Ledger.firstSeen`. */
export async function firstSeen(
  queries: Queries,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await queryInChunks<{ id: string; fence: number }>(
    queries,
    ids,
    [scope],
    (some) =>
      `SELECT withdrawal_id AS id, fence FROM ledger_seen WHERE scope = $1 AND withdrawal_id IN (${some})`,
  );
  return new Map(rows.map(({ id, fence }) => [id, fence]));
}

/**
 * Goes from each scope to the next by an index, by default that of the keys: a ledger has few scopes, but may have a
 * million rows.
 */
export const everyScope = (by = '') => `WITH RECURSIVE every (scope) AS (
  SELECT min(scope) FROM ledger_intents ${by}
  UNION ALL
  SELECT (SELECT min(scope) FROM ledger_intents ${by} WHERE scope > every.scope) FROM every WHERE scope IS NOT NULL
)`;

/** How many values one statement asks for: fewer than the parameters that it may have. */
const valuesAtOnce = 500;

/**
 * Runs a statement for each part of `values`, whose placeholders follow those of `parameters`, and returns all rows.
 */
export async function queryInChunks<T extends object>(
  queries: Queries,
  values: readonly string[],
  parameters: readonly Value[],
  sql: (places: string) => string,
): Promise<T[]> {
  const found: T[] = [];
  for (let at = 0; at < values.length; at += valuesAtOnce) {
    const some = values.slice(at, at + valuesAtOnce);
    const places = placeholders(some.length, parameters.length + 1);
    for (const row of await queries.query<T>(sql(places), [...parameters, ...some])) found.push(row);
    if (values.length > valuesAtOnce) await nextTurn();
  }
  return found;
}

/** Implements `Ledger.openElsewhere`. */
export async function openElsewhere(queries: Queries, scope: Scope): Promise<Intent[]> {
  const rows = await queries.query<IntentRow>(
    "SELECT * FROM ledger_intents WHERE scope <> $1 AND kind = 'withdrawal' AND state IN ('SENDING', 'UNKNOWN')",
    [scope],
  );
  return rows.map(toIntent);
}

/** Implements `Ledger.refusedElsewhere`. */
export async function refusedElsewhere(
  queries: Queries,
  scope: Scope,
  amounts: ReadonlySet<number>,
): Promise<Intent[]> {
  if (amounts.size === 0) return [];
  const condition = "scope <> $1 AND kind = 'withdrawal' AND state = 'REFUSED'";
  // Every row is read once only, however many amounts there are.
  const all = await queries.query<{ id: string; amount: number }>(
    `SELECT id, amount FROM ledger_intents WHERE ${condition}`,
    [scope],
  );
  const ids = all.filter(({ amount }) => amounts.has(amount)).map(({ id }) => id);
  const rows = await queryInChunks<IntentRow>(
    queries,
    ids,
    [scope],
    (some) => `SELECT * FROM ledger_intents WHERE ${condition} AND id IN (${some})`,
  );
  return rows.map(toIntent);
}

/** Implements `Ledger.spendingUnderOtherLabels`. */
export async function spendingUnderOtherLabels(
  queries: Queries,
  scope: Scope,
  since: number,
): Promise<Intent[]> {
  const rows = await queries.query<IntentRow>(
    `SELECT * FROM ledger_intents WHERE kind = 'withdrawal' AND scope <> $1
     AND (${sqlOneOf('state', openStates)} OR (${spentSinceCondition} AND ${sqlOneOf('state', spendingStates)}))`,
    [scope, since],
  );
  return rows.map(toIntent).filter(isAtAddressOf(scope));
}

const isAtAddressOf =
  (scope: Scope) =>
  (one: { readonly scope: Scope }): boolean =>
    addressSuffixOf(one.scope) === addressSuffixOf(scope);
