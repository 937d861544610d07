/** The golden schema: a migration that changes what is released shows here, on both dialects. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/database/open.ts';
import { ConstraintError, type Database } from '../../src/database/port.ts';
import { migrations } from '../../src/ledger/migrations.ts';
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres.ts';

const open = (url: string) => openDatabase(url, { room: 'ledger', migrations, clock: systemClock });
const oneLine = (text: unknown) => String(text).replace(/\s+/g, ' ');

async function fill(database: Database): Promise<void> {
  await database.query("INSERT INTO ledger_identity (one, id, created_at) VALUES (1, 'x', 0)");
  await database.query(
    `INSERT INTO ledger_intents (id, kind, scope, idempotency_key, state, version, amount, request, inferred, departed, created_at, updated_at)
     VALUES ('i', 'withdrawal', 's', 'k', 'PLANNED', 1, 1, '{}', 0, 0, 0, 0)`,
  );
  await database.query(
    "INSERT INTO ledger_events (id, intent_id, version, at, state, what, details) VALUES ('e', 'i', 1, 0, 'PLANNED', 'planned', '{}')",
  );
  await database.query("INSERT INTO ledger_seen (scope, withdrawal_id, fence) VALUES ('s', 'w', 1)");
}

const forbidden = [
  "UPDATE ledger_events SET what = 'other'",
  'DELETE FROM ledger_events',
  'DELETE FROM ledger_intents',
  'UPDATE ledger_seen SET fence = 2',
  'DELETE FROM ledger_seen',
  "UPDATE ledger_identity SET id = 'y'",
  'DELETE FROM ledger_identity',
];

describe('sqlite', () => {
  const fresh = () => open(join(mkdtempSync(join(tmpdir(), 'pixctl-schema-')), 'ledger.sqlite'));

  it('has this schema', async () => {
    const database = await fresh();
    const rows = await database.query<{ sql: string }>(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name LIKE 'ledger%' ORDER BY type, name",
    );
    expect(rows.map(({ sql }) => oneLine(sql))).toMatchSnapshot();
    await database.close();
  });

  it.each(forbidden)('refuses %s', async (statement) => {
    const database = await fresh();
    await fill(database);
    await expect(database.query(statement)).rejects.toBeInstanceOf(ConstraintError);
    await database.close();
  });
});

describe.skipIf(postgresMissing !== null)(
  `postgres${postgresMissing === null ? '' : ` (skipped: ${postgresMissing})`}`,
  () => {
    let server: Postgres;
    let database: Database;
    beforeAll(async () => {
      server = await startPostgres();
      database = await open(await server.createDatabase());
      await fill(database);
    });
    afterAll(async () => {
      await database.close();
      await server.stop();
    });

    it('has this schema', async () => {
      const columns = await database.query(
        `SELECT table_name || '.' || column_name || ' ' || data_type || CASE is_nullable WHEN 'NO' THEN ' not null' ELSE '' END AS line
       FROM information_schema.columns WHERE table_name LIKE 'ledger%' ORDER BY table_name, ordinal_position`,
      );
      const constraints = await database.query(
        `SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) AS line FROM pg_constraint
       WHERE conrelid::regclass::text LIKE 'ledger%' AND contype <> 'n' ORDER BY 1`,
      );
      const indexes = await database.query(
        "SELECT indexdef AS line FROM pg_indexes WHERE tablename LIKE 'ledger%' ORDER BY indexname",
      );
      const triggers = await database.query(
        `SELECT pg_get_triggerdef(oid) AS line FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname`,
      );
      expect(
        [...columns, ...constraints, ...indexes, ...triggers].map(({ line }) => oneLine(line)),
      ).toMatchSnapshot();
    });

    it('is left to the early build whose tables do not tell whether a request has left', async () => {
      const url = await server.createDatabase();
      const early = migrations
        .slice(0, 1)
        .map((one) => ({ ...one, sql: one.sql.replace(/^.*\bdeparted\b.*$/m, '') }));
      const openEarly = () => openDatabase(url, { room: 'ledger', migrations: early, clock: systemClock });
      await (await openEarly()).close();
      await expect(open(url)).rejects.toMatchObject({ kind: 'config', code: 'DATABASE_TABLES' });
      const again = await openEarly();
      expect(await again.query('SELECT id FROM ledger_intents')).toEqual([]);
      await again.close();
    });

    it('sorts by bytes what callers and the service name, whatever order the system brings', async () => {
      const rows = await database.query<{ line: string }>(
        `SELECT DISTINCT c.relname || '.' || a.attname || ' ' || o.collname AS line
         FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
         JOIN pg_attribute a ON a.attrelid = i.indexrelid
         JOIN pg_collation o ON o.oid = a.attcollation
         WHERE c.relname LIKE 'ledger%' ORDER BY 1`,
      );
      expect(rows.map(({ line }) => line)).toEqual([
        'ledger_events.id default',
        'ledger_events.intent_id default',
        'ledger_intents.id default',
        'ledger_intents.idempotency_key C',
        'ledger_intents.kind default',
        'ledger_intents.resource_id C',
        'ledger_intents.scope C',
        'ledger_seen.scope C',
        'ledger_seen.withdrawal_id C',
      ]);
    });

    it.each([...forbidden, 'TRUNCATE ledger_seen'])('refuses %s', async (statement) => {
      await expect(database.query(statement)).rejects.toBeInstanceOf(ConstraintError);
    });
  },
);

it('an embedded ledger is left to older versions: what PostgreSQL alone needs is not recorded in it', async () => {
  const url = join(mkdtempSync(join(tmpdir(), 'pixctl-schema-')), 'ledger.sqlite');
  await (await open(url)).close();
  const older = { room: 'ledger', migrations: migrations.slice(0, 1), clock: systemClock };
  const database = await openDatabase(url, older);
  const rows = await database.query<{ number: number }>('SELECT number FROM pixctl_migrations');
  expect(rows.map(({ number }) => number)).toEqual([1]);
  await database.close();
});
