/**
 * The ledger's tables. Once released, a migration's number never changes; `test/ledger/schema.test.ts` pins the result.
 */
import type { Migration } from '../database/port.ts';

const forbid = (table: string, action: 'UPDATE' | 'DELETE') =>
  `CREATE TRIGGER ${table}_no_${action.toLowerCase()} BEFORE ${action} ON ${table}
   BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END;`;

const forbidOnPostgres = (table: string, actions: string) =>
  `CREATE TRIGGER ${table}_append_only BEFORE ${actions} ON ${table}
   FOR EACH STATEMENT EXECUTE FUNCTION ledger_append_only();`;

/** Also rebuilds the indexes of these columns. */
const byBytes = (table: string, columns: readonly string[]) =>
  `ALTER TABLE ${table} ${columns.map((name) => `ALTER COLUMN ${name} TYPE TEXT COLLATE "C"`).join(', ')};`;

export const migrations: readonly Migration[] = [
  {
    number: 1,
    name: 'intents and events',
    sql: `
      CREATE TABLE ledger_identity (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        id TEXT NOT NULL,
        created_at BIGINT NOT NULL
      );
      CREATE TABLE ledger_intents (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN ('withdrawal', 'charge')),
        scope TEXT NOT NULL,
        idempotency_key TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN
          ('PLANNED', 'SENDING', 'ACCEPTED', 'REFUSED', 'NOT_SENT', 'UNKNOWN', 'COMPLETED', 'FAILED')),
        version INTEGER NOT NULL CHECK (version >= 1),
        amount BIGINT NOT NULL CHECK (amount > 0),
        request TEXT NOT NULL,
        resource_id TEXT,
        inferred INTEGER NOT NULL CHECK (inferred IN (0, 1)),
        result TEXT,
        reason TEXT,
        owner_host TEXT,
        owner_boot TEXT,
        owner_pid INTEGER,
        owner_started TEXT,
        fence BIGINT,
        departed INTEGER NOT NULL CHECK (departed IN (0, 1)),
        listed INTEGER,
        created_at BIGINT NOT NULL,
        sent_at BIGINT,
        updated_at BIGINT NOT NULL,
        CONSTRAINT ledger_one_key UNIQUE (scope, idempotency_key),
        CONSTRAINT ledger_one_claim UNIQUE (scope, kind, resource_id),
        CONSTRAINT ledger_one_fence UNIQUE (scope, kind, fence),
        CONSTRAINT ledger_known_resource
          CHECK (state NOT IN ('ACCEPTED', 'COMPLETED', 'FAILED') OR resource_id IS NOT NULL),
        CONSTRAINT ledger_known_owner
          CHECK (state <> 'SENDING' OR (owner_host IS NOT NULL AND sent_at IS NOT NULL))
      );
      CREATE UNIQUE INDEX ledger_one_open ON ledger_intents (scope)
        WHERE kind = 'withdrawal' AND state IN ('SENDING', 'UNKNOWN');
      CREATE INDEX ledger_by_time ON ledger_intents (scope, kind, sent_at);
      CREATE TABLE ledger_events (
        id TEXT PRIMARY KEY,
        intent_id TEXT NOT NULL REFERENCES ledger_intents (id),
        version INTEGER NOT NULL,
        at BIGINT NOT NULL,
        state TEXT NOT NULL,
        what TEXT NOT NULL,
        details TEXT NOT NULL,
        CONSTRAINT ledger_one_version UNIQUE (intent_id, version)
      );
      CREATE TABLE ledger_seen (
        scope TEXT NOT NULL,
        withdrawal_id TEXT NOT NULL,
        fence BIGINT NOT NULL,
        PRIMARY KEY (scope, withdrawal_id)
      );`,
    only: {
      sqlite: [
        forbid('ledger_events', 'UPDATE'),
        forbid('ledger_events', 'DELETE'),
        forbid('ledger_intents', 'DELETE'),
        forbid('ledger_seen', 'UPDATE'),
        forbid('ledger_seen', 'DELETE'),
        forbid('ledger_identity', 'UPDATE'),
        forbid('ledger_identity', 'DELETE'),
      ].join('\n'),
      postgres: [
        `CREATE FUNCTION ledger_append_only() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$;`,
        forbidOnPostgres('ledger_events', 'UPDATE OR DELETE OR TRUNCATE'),
        forbidOnPostgres('ledger_intents', 'DELETE OR TRUNCATE'),
        forbidOnPostgres('ledger_seen', 'UPDATE OR DELETE OR TRUNCATE'),
        forbidOnPostgres('ledger_identity', 'UPDATE OR DELETE OR TRUNCATE'),
      ].join('\n'),
    },
  },
  {
    number: 2,
    name: 'order by bytes',
    sql: '',
    // Each system brings its own collation; its next release, another image or a replica may have a different one. An
    // index sorted by the first does not find its keys by the second, and a key that had been paid looked new. The ids
    // of intents and events are UUIDs, which every collation sorts alike.
    only: {
      postgres: [
        // The indexes of a large ledger take a while.
        'SET LOCAL statement_timeout = 0;',
        byBytes('ledger_intents', ['scope', 'idempotency_key', 'resource_id']),
        byBytes('ledger_seen', ['scope', 'withdrawal_id']),
      ].join('\n'),
    },
    // Early builds made the first tables without this column. They are left to the build that can go on with them.
    assertApplicable: async (tx) => void (await tx.query('SELECT departed FROM ledger_intents LIMIT 0')),
  },
];
