/** How SQLite goes about a read that takes many values: it must not go through the ledger for each handful of them. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { IdempotencyKey } from '../../src/contract/brand.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { Database } from '../../src/database/port.ts';
import { scopeOf } from '../../src/ledger/intent.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { migrations } from '../../src/ledger/migrations.ts';
import { createSqlLedger } from '../../src/ledger/sql-ledger.ts';

const scope = scopeOf({ merchant: 'acme', baseUrl: 'https://pay.example' });
const many = Array.from({ length: 600 }, (_, at) => `k-${at}`);

/** What SQLite says of each statement of a read, each said once. */
async function plansOf(read: (ledger: Ledger) => Promise<unknown>): Promise<string[]> {
  const url = join(mkdtempSync(join(tmpdir(), 'pixctl-plans-')), 'ledger.sqlite');
  const database = await openDatabase(url, { room: 'ledger', migrations, clock: systemClock });
  const plans = new Set<string>();
  const query: Database['query'] = async (sql, values) => {
    for (const { detail } of await database.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values))
      plans.add(detail);
    return database.query(sql, values);
  };
  await read(createSqlLedger({ ...database, query }, 'id'));
  await database.close();
  return [...plans];
}

it('what was spent today is looked for among the sends of today', async () => {
  const plans = await plansOf((ledger) => ledger.spentSince(scope, 1));
  const byTime = 'SEARCH ledger_intents USING INDEX ledger_by_time (scope=? AND kind=? AND sent_at';
  expect(plans.filter((plan) => plan.startsWith(byTime))).toEqual([`${byTime}>?)`, `${byTime}=?)`]);
  expect(plans).not.toContain('SEARCH ledger_intents USING INDEX ledger_by_time (scope=? AND kind=?)');
});

it.each([
  ['keys', { keys: many as IdempotencyKey[] }, '2 (scope=? AND idempotency_key=?)'],
  ['ids', { resourceIds: many }, '3 (scope=? AND kind=? AND resource_id=?)'],
])('many %s are looked up in their index', async (_, selector, index) => {
  const plans = await plansOf((ledger) => ledger.findMany(scope, 'withdrawal', selector));
  expect(plans[0]).toBe(`SEARCH ledger_intents USING INDEX sqlite_autoindex_ledger_intents_${index}`);
});
