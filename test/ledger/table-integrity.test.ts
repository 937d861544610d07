/** A ledger that was copied without its indexes, or that a crash empties, has the right id: it is refused even so. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { Migration } from '../../src/database/port.ts';
import { migrations } from '../../src/ledger/migrations.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { assertSqliteTablesIntact } from '../../src/ledger/sqlite-integrity.ts';
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres.ts';
import { emptyHome } from '../support/run.ts';

describe('the tables of a ledger in a file', () => {
  async function changed(statements: string) {
    const url = join(emptyHome(), 'ledger.sqlite');
    const ledger = await openLedger({ url, expectedId: null, clock: systemClock });
    await ledger.close();
    const database = new DatabaseSync(url);
    database.exec(`PRAGMA foreign_keys = 0; ${statements}`);
    database.close();
    return openLedger({ url, expectedId: ledger.id, clock: systemClock });
  }
  const copied = (table: string) =>
    `CREATE TABLE copy AS SELECT * FROM ${table}; DROP TABLE ${table}; ALTER TABLE copy RENAME TO ${table};`;
  const trigger = (name: string, body: string) =>
    `CREATE TRIGGER ${name} AFTER UPDATE ON ledger_intents WHEN NEW.state = 'ACCEPTED' BEGIN ${body}; END;`;
  const replacing = `DROP TRIGGER ledger_seen_no_update; DROP TRIGGER ledger_seen_no_delete; DROP TABLE ledger_seen;
    CREATE TABLE ledger_seen (scope TEXT NOT NULL, withdrawal_id TEXT NOT NULL, fence BIGINT NOT NULL,
      PRIMARY KEY (scope, withdrawal_id) ON CONFLICT REPLACE);`;
  const denies = "UPDATE ledger_intents SET state = 'NOT_SENT' WHERE id = NEW.id";

  it.each([
    [
      'copied without their indexes',
      copied('ledger_intents'),
      '(ledger_intents, ledger_one_open, ledger_intents_no_delete)',
    ],
    ['without one rule', 'DROP INDEX ledger_one_open;', '(ledger_one_open)'],
    [
      'with an index that is not unique',
      'DROP INDEX ledger_one_open; CREATE INDEX ledger_one_open ON ledger_intents (scope);',
      '(ledger_one_open)',
    ],
    [
      'with a rule that holds for fewer rows',
      `DROP INDEX ledger_one_open;
       CREATE UNIQUE INDEX ledger_one_open ON ledger_intents (scope) WHERE state = 'SENDING';`,
      '(ledger_one_open)',
    ],
    ['that lack a column', 'ALTER TABLE ledger_intents DROP COLUMN departed;', '(ledger_intents)'],
    [
      'in which a second row takes the place of the first',
      replacing,
      '(ledger_seen, ledger_seen_no_update, ledger_seen_no_delete)',
    ],
    [
      'that are a view',
      `DROP TRIGGER ledger_seen_no_update; DROP TRIGGER ledger_seen_no_delete;
       ALTER TABLE ledger_seen RENAME TO seen; CREATE VIEW ledger_seen AS SELECT * FROM seen;`,
      '(ledger_seen, ledger_seen_no_update, ledger_seen_no_delete)',
    ],
    [
      'without what keeps a record from being changed',
      'DROP TRIGGER ledger_events_no_update; DROP TRIGGER ledger_intents_no_delete;',
      'or its record from being changed, or has it otherwise than pixctl made it (ledger_events_no_update, ledger_intents_no_delete)',
    ],
    [
      'with a rule that is not ours',
      'CREATE UNIQUE INDEX one_amount ON ledger_intents (scope, amount);',
      'a unique index that pixctl did not make (one_amount)',
    ],
    ['with a trigger', trigger('helpful', denies), 'a trigger that pixctl did not make (helpful)'],
    [
      'with one under the name of ours',
      `DROP TRIGGER ledger_seen_no_update; ${trigger('ledger_seen_no_update', denies)}`,
      'a trigger that pixctl did not make (ledger_seen_no_update)',
    ],
  ])('%s, are refused', async (_, statements, words) => {
    await expect(changed(statements)).rejects.toMatchObject({
      kind: 'config',
      code: 'LEDGER_NOT_WHOLE',
      message: expect.stringContaining(words),
    });
  });

  it('may have an index and a table that somebody has added', async () => {
    const ledger = await changed(
      'CREATE INDEX by_amount ON ledger_intents (amount); CREATE TABLE notes (text TEXT);',
    );
    await ledger.close();
  });
});

it('a file is whole after a migration that adds a column to a table that has rules', async () => {
  const notes: Migration = {
    number: migrations.length + 1,
    name: 'notes',
    sql: 'ALTER TABLE ledger_intents ADD COLUMN note TEXT;',
  };
  const url = join(emptyHome(), 'ledger.sqlite');
  const older = await openDatabase(url, { room: 'ledger', migrations, clock: systemClock });
  await older.close();
  const later = [...migrations, notes];
  const database = await openDatabase(url, { room: 'ledger', migrations: later, clock: systemClock });
  await assertSqliteTablesIntact(database, later);
  await expect(assertSqliteTablesIntact(database)).rejects.toMatchObject({ code: 'LEDGER_NOT_WHOLE' });
  await database.close();
});

describe.skipIf(postgresMissing !== null)(
  `the tables of a shared ledger${postgresMissing === null ? '' : ` (skipped: ${postgresMissing})`}`,
  () => {
    let server: Postgres;
    beforeAll(async () => {
      server = await startPostgres({ wal_level: 'logical' });
    });
    afterAll(() => server.stop());

    async function changed(statements: string) {
      const url = await server.createDatabase();
      const ledger = await openLedger({ url, expectedId: null, clock: systemClock });
      await ledger.close();
      server.sql(statements, url);
      return openLedger({ url, expectedId: ledger.id, clock: systemClock });
    }

    it.each([
      [
        'copied without their indexes',
        `ALTER TABLE ledger_events RENAME TO old_events; ALTER TABLE ledger_intents RENAME TO old_intents;
         CREATE TABLE ledger_events AS SELECT * FROM old_events;
         CREATE TABLE ledger_intents AS SELECT * FROM old_intents; DROP TABLE old_events, old_intents`,
        'the unique indexes ledger_intents_pkey, ledger_one_key, ledger_one_claim, ledger_one_fence, ledger_one_open, ledger_events_pkey, ledger_one_version)',
      ],
      [
        'without one rule',
        'ALTER TABLE ledger_intents DROP CONSTRAINT ledger_one_fence',
        'the unique index ledger_one_fence)',
      ],
      [
        'with a rule of the same name that forbids less',
        `ALTER TABLE ledger_intents DROP CONSTRAINT ledger_one_key;
         CREATE UNIQUE INDEX ledger_one_key ON ledger_intents (scope, idempotency_key, created_at)`,
        'the unique index ledger_one_key)',
      ],
      [
        'with a rule that holds for some rows only',
        `ALTER TABLE ledger_intents DROP CONSTRAINT ledger_one_key;
         CREATE UNIQUE INDEX ledger_one_key ON ledger_intents (scope, idempotency_key) WHERE state = 'PLANNED'`,
        'the unique index ledger_one_key)',
      ],
      [
        'with an index that is not unique',
        'DROP INDEX ledger_one_open; CREATE INDEX ledger_one_open ON ledger_intents (scope)',
        'the unique index ledger_one_open)',
      ],
      [
        'with an index that was not built to its end',
        "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'ledger_one_open'::regclass",
        'the unique index ledger_one_open)',
      ],
      [
        'unlogged',
        'ALTER TABLE ledger_events SET UNLOGGED; ALTER TABLE ledger_intents SET UNLOGGED',
        'the table ledger_intents in',
      ],
    ])('%s, are refused', async (_, statements, words) => {
      await expect(changed(statements)).rejects.toMatchObject({
        kind: 'config',
        code: 'LEDGER_NOT_WHOLE',
        message: expect.stringContaining(words),
      });
    });

    /** Opens a ledger of which `statements` were made, as the user `clerk`, who may read and write its tables. */
    async function openedByClerk(attributes: string, statements: string) {
      const url = await server.createDatabase();
      const ledger = await openLedger({ url, expectedId: null, clock: systemClock });
      await ledger.close();
      const clerk = `clerk_${new URL(url).pathname.slice(1)}`;
      server.sql(
        `CREATE ROLE ${clerk} LOGIN ${attributes}; GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO ${clerk};
         ${statements.replaceAll('clerk', clerk)}`,
        url,
      );
      return openLedger({
        url: url.replace('pixctl@', `${clerk}@`),
        expectedId: ledger.id,
        clock: systemClock,
      });
    }

    const secure = (table: string) => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;`;
    const ofAcme = "CREATE POLICY of_acme ON ledger_intents USING (scope LIKE 'acme%');";

    it.each([
      ['some rows', 'ledger_intents', secure('ledger_intents') + ofAcme],
      ['all rows, the id too', 'ledger_identity', secure('ledger_identity')],
      [
        'rows from their very owner',
        'ledger_intents',
        `${secure('ledger_intents')} ${ofAcme} ALTER TABLE ledger_intents OWNER TO clerk;
         ALTER TABLE ledger_intents FORCE ROW LEVEL SECURITY`,
      ],
    ])('whose policies hide %s, are refused', async (_, table, statements) => {
      await expect(openedByClerk('', statements)).rejects.toMatchObject({
        kind: 'config',
        code: 'LEDGER_NOT_WHOLE',
        message: expect.stringContaining(`rows of the table ${table} in`),
      });
    });

    it.each([
      ['their owner', '', `ALTER TABLE ledger_intents OWNER TO clerk; ${secure('ledger_intents')} ${ofAcme}`],
      ['a user whom they do not bind', 'BYPASSRLS', secure('ledger_intents') + ofAcme],
      ['anybody, where there are none', '', ''],
    ])('whose policies hide nothing from %s, are whole', async (_, attributes, statements) => {
      await (await openedByClerk(attributes, statements)).close();
    });

    it('kept by logical replication, are refused until they are no longer', async () => {
      const [original, url] = [await server.createDatabase(), await server.createDatabase()];
      for (const each of [original, url])
        await (await openLedger({ url: each, expectedId: null, clock: systemClock })).close();
      server.sql('CREATE PUBLICATION ledger FOR ALL TABLES', original);
      server.sql("SELECT pg_create_logical_replication_slot('ledger', 'pgoutput')", original);
      const { port, pathname } = new URL(original);
      server.sql(
        `CREATE SUBSCRIPTION ledger CONNECTION 'host=127.0.0.1 port=${port} user=pixctl dbname=${pathname.slice(1)}'
         PUBLICATION ledger WITH (create_slot = false, copy_data = false, enabled = false)`,
        url,
      );
      const opening = () => openLedger({ url, expectedId: null, clock: systemClock });
      await expect(opening()).rejects.toMatchObject({ kind: 'config', code: 'LEDGER_REPLICA' });
      await (await openLedger({ url: original, expectedId: null, clock: systemClock })).close();
      server.sql('DROP SUBSCRIPTION ledger', url);
      await (await opening()).close();
    });

    it.each([
      ['built anew', 'REINDEX TABLE ledger_intents; CLUSTER ledger_intents USING ledger_one_key'],
      [
        'with an index and a column more',
        'ALTER TABLE ledger_intents ADD note TEXT; CREATE INDEX ON ledger_intents (note)',
      ],
      [
        'in another schema of the search path',
        `CREATE SCHEMA money; ALTER TABLE ledger_identity SET SCHEMA money;
        ALTER TABLE ledger_events SET SCHEMA money; ALTER TABLE ledger_intents SET SCHEMA money;
        ALTER TABLE ledger_seen SET SCHEMA money;
        DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, money', current_database()); END $$`,
      ],
    ])('%s, are whole', async (_, statements) => {
      await (await changed(statements)).close();
    });
  },
);
