/**
 * A PostgreSQL that sorts letters in another order than when its indexes were built: after an upgrade of its system,
 * under another image, on a replica. An index in the old order does not find every key, and a key that is not found
 * would be sent again.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { Cents, IdempotencyKey } from '../../src/contract/brand.ts';
import { openDatabase } from '../../src/database/open.ts';
import { scopeOf } from '../../src/ledger/intent.ts';
import { migrations } from '../../src/ledger/migrations.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { skipped } from '../support/platform.ts';
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres.ts';

const scope = scopeOf({ merchant: 'acme', baseUrl: 'https://pay.example' });
const keys = ['rent-2026-01', 'Rent-2026-02', 'salary_001', 'Zeta-1', '_x', 'aB', 'Ab'] as IdempotencyKey[];
const order = (idempotencyKey: IdempotencyKey) => ({
  id: `i-${idempotencyKey}`,
  kind: 'withdrawal' as const,
  scope,
  idempotencyKey,
  amount: 100 as Cents,
  request: '{}',
});

const noLanguage = 'the system has no order of letters of a language';

describe.skipIf(postgresMissing !== null)(
  skipped('an order of letters that changes', postgresMissing),
  () => {
    let server: Postgres;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.stop());

    /** A database in the order of a language; null where the system has none. */
    async function inLanguage(): Promise<string | null> {
      const [locale] = server
        .sql(
          "SELECT collcollate FROM pg_collation WHERE collprovider = 'c' AND collcollate ~ '^(en|pt)_' AND pg_encoding_to_char(collencoding) = 'UTF8' LIMIT 1",
        )
        .split('\n');
      if (locale === undefined || locale === '') return null;
      const url = (await server.createDatabase()).replace(/[^/]*$/, 'shop');
      server.sql(`DROP DATABASE IF EXISTS shop`);
      server.sql(`CREATE DATABASE shop TEMPLATE template0 LC_COLLATE '${locale}' LC_CTYPE '${locale}'`);
      return url;
    }

    /** As a year of payments would: a lookup then goes by an index. */
    function fill(url: string) {
      server.sql(
        `INSERT INTO ledger_intents (id, kind, scope, idempotency_key, state, version, amount, request, resource_id,
           inferred, departed, created_at, updated_at)
         SELECT 'old' || g, kind, scope, (ARRAY['salary', 'Salary', 'RENT', 'x_'])[1 + g % 4] || (ARRAY['-', '_', '.'])[1 + g % 3] || g,
           'COMPLETED', 1, 50, '{}', 'wd_' || g, 0, 1, 1, 1
         FROM ledger_intents, generate_series(1, 3000) g WHERE idempotency_key = 'aB'`,
        url,
      );
      server.sql('ANALYZE', url);
    }

    it.for<[string, number]>([
      ['a new ledger', 2],
      ['a ledger of the first version, once it was opened', 1],
    ])('%s still finds every key', async ([, made], { skip }) => {
      const url = await inLanguage();
      if (url === null) return skip(noLanguage);
      const database = await openDatabase(url, {
        room: 'ledger',
        migrations: migrations.slice(0, made),
        clock: systemClock,
      });
      await database.close();
      const before = await openLedger({ url, expectedId: null, clock: systemClock });
      for (const key of keys) await before.plan(order(key), { id: `e-${key}`, at: 1, what: 'planned' });
      fill(url);
      await before.close();
      server.sql("UPDATE pg_database SET datcollate = 'C' WHERE datname = 'shop'");
      await server.restart();
      const after = await openLedger({ url, expectedId: before.id, clock: systemClock });
      const found = [];
      for (const key of keys) found.push((await after.find(scope, key))?.idempotencyKey);
      await after.close();
      expect(found).toEqual(keys);
    });
    it('refuses a ledger in which a key has come in twice, and says what that may mean', async ({ skip }) => {
      const url = await inLanguage();
      if (url === null) return skip(noLanguage);
      const first = { room: 'ledger', migrations: migrations.slice(0, 1), clock: systemClock };
      await (await openDatabase(url, first)).close();
      const add = (id: string) =>
        server.sql(
          `INSERT INTO ledger_intents (id, kind, scope, idempotency_key, state, version, amount, request, inferred, departed, created_at, updated_at)
           VALUES ('${id}', 'withdrawal', '${scope}', 'aB', 'PLANNED', 1, 100, '{}', 0, 0, 1, 1)`,
          url,
        );
      add('i1');
      server.sql('UPDATE pg_index SET indisready = false WHERE indrelid = $$ledger_intents$$::regclass', url);
      add('i2');
      await expect(openLedger({ url, expectedId: null, clock: systemClock })).rejects.toMatchObject({
        kind: 'storage',
        message: expect.stringContaining(
          'holds rows that its own rules forbid (ledger_one_key); nothing was sent',
        ),
        hint: expect.stringContaining('paid twice'),
      });
    });

    it('says which step is missing where a view is on the tables, or another user owns them', async ({
      skip,
    }) => {
      const url = await inLanguage();
      if (url === null) return skip(noLanguage);
      const first = { room: 'ledger', migrations: migrations.slice(0, 1), clock: systemClock };
      await (await openDatabase(url, first)).close();
      server.sql('CREATE VIEW paid AS SELECT idempotency_key FROM ledger_intents', url);
      const open = (as: string) => openLedger({ url: as, expectedId: null, clock: systemClock });
      await expect(open(url)).rejects.toMatchObject({
        kind: 'config',
        code: 'DATABASE_VIEW',
        hint: expect.stringContaining('run pixctl doctor, which brings the tables up to date'),
      });
      server.sql(
        'CREATE USER payer; GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO payer',
        url,
      );
      const payer = url.replace('pixctl@', 'payer@');
      const refusal = {
        code: 'DATABASE_RIGHTS',
        hint: expect.stringContaining('as the owner of the tables'),
      };
      await expect(open(payer)).rejects.toMatchObject(refusal);
      server.sql('DROP VIEW paid', url);
      const { id, close } = await open(url);
      await close();
      const asPayer = await openLedger({ url: payer, expectedId: id, clock: systemClock });
      expect(asPayer.id).toBe(id);
      await asPayer.close();
    });
  },
);
