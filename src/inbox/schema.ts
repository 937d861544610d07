/** The inbox's tables, for both dialects. Times are milliseconds since the epoch. */
import type { Migrated, Migration, Queries } from '../database/port.ts';
import { sqlOneOf } from '../database/sql-one-of.ts';
import { PixctlError } from '../errors.ts';
import { goneAfterMs } from './heartbeat.ts';

const eventColumns =
  'key, source, event_id, copy, event, received_at, origin, edits, headers, body, duplicates, state, target, attempts, failures, next_at, status, error, claimed_by';
const attemptColumns = 'key, number, url, started_at, ms, status, error, signature, answer, elsewhere';

/** The same tables, except that the unique constraint becomes an index: see dedupe/id-pages.ts. */
const numbered = `
CREATE TABLE inbox_event_numbered (
  number INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  source TEXT NOT NULL,
  event_id TEXT NOT NULL,
  copy TEXT NOT NULL,
  event TEXT NOT NULL,
  received_at BIGINT NOT NULL,
  origin TEXT NOT NULL,
  edits TEXT,
  headers TEXT NOT NULL,
  body BLOB NOT NULL,
  duplicates INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL CHECK ${sqlOneOf('state', ['NONE', 'WAITING', 'DELIVERED', 'GIVEN_UP'])},
  target TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  next_at BIGINT,
  status INTEGER,
  error TEXT,
  claimed_by TEXT
);
INSERT INTO inbox_event_numbered (${eventColumns}) SELECT ${eventColumns} FROM inbox_event ORDER BY rowid;
CREATE TABLE inbox_attempt_of_numbered (
  key TEXT NOT NULL REFERENCES inbox_event_numbered (key),
  number INTEGER NOT NULL,
  url TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  ms INTEGER NOT NULL,
  status INTEGER,
  error TEXT,
  signature TEXT NOT NULL,
  answer TEXT,
  elsewhere INTEGER,
  PRIMARY KEY (key, number)
);
INSERT INTO inbox_attempt_of_numbered (${attemptColumns}) SELECT ${attemptColumns} FROM inbox_attempt ORDER BY rowid;
DROP TABLE inbox_attempt;
DROP TABLE inbox_event;
ALTER TABLE inbox_event_numbered RENAME TO inbox_event;
ALTER TABLE inbox_attempt_of_numbered RENAME TO inbox_attempt;
CREATE INDEX inbox_event_waiting ON inbox_event (source, next_at) WHERE state = 'WAITING';
CREATE TABLE inbox_ids (
  last INTEGER PRIMARY KEY,
  ids BLOB NOT NULL
);
CREATE TABLE inbox_numbers (last INTEGER NOT NULL);
INSERT INTO inbox_numbers VALUES (0);
`;

/**
 * A listener from before the change could no longer store anything, and the service gives up sending within seconds; or
 * it would forward rows that it reads wrongly.
 */
async function assertNoListener(tx: Queries, { location, now }: Migrated): Promise<void> {
  const [listener] = await tx.query('SELECT 1 FROM inbox_owner WHERE seen_at > $1', [now - goneAfterMs]);
  if (listener === undefined) return;
  throw new PixctlError(
    'later',
    'INBOX_IN_USE',
    `a listener of an older pixctl uses the inbox ${location}, and could not go on with it once this version has changed it`,
    { hint: `Stop it, then run this again (${goneAfterMs / 1_000} seconds later if it was killed).` },
  );
}

export const inboxMigrations: readonly Migration[] = [
  {
    number: 1,
    name: 'inbox',
    sql: `
CREATE TABLE inbox_event (
  key TEXT PRIMARY KEY,
  source TEXT NOT NULL,
  event_id TEXT NOT NULL,
  copy TEXT NOT NULL,
  event TEXT NOT NULL,
  received_at BIGINT NOT NULL,
  origin TEXT NOT NULL,
  edits TEXT,
  headers TEXT NOT NULL,
  body {{blob}} NOT NULL,
  duplicates INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL CHECK ${sqlOneOf('state', ['NONE', 'WAITING', 'DELIVERED', 'GIVEN_UP'])},
  target TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  next_at BIGINT,
  status INTEGER,
  error TEXT,
  claimed_by TEXT,
  CONSTRAINT inbox_event_once UNIQUE (event_id, source, copy)
);
CREATE INDEX inbox_event_waiting ON inbox_event (source, next_at) WHERE state = 'WAITING';
CREATE TABLE inbox_attempt (
  key TEXT NOT NULL REFERENCES inbox_event (key),
  number INTEGER NOT NULL,
  url TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  ms INTEGER NOT NULL,
  status INTEGER,
  error TEXT,
  signature TEXT NOT NULL,
  PRIMARY KEY (key, number)
);
CREATE TABLE inbox_owner (
  owner TEXT PRIMARY KEY,
  seen_at BIGINT NOT NULL
);
CREATE TABLE inbox_poll (
  scope TEXT NOT NULL,
  id TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at TEXT,
  PRIMARY KEY (scope, id)
);
`,
  },
  {
    number: 2,
    name: 'answers',
    sql: 'ALTER TABLE inbox_attempt ADD COLUMN answer TEXT;',
  },
  {
    number: 3,
    name: 'processes',
    sql: 'ALTER TABLE inbox_owner ADD COLUMN process TEXT;',
  },
  {
    number: 4,
    name: 'replays-elsewhere',
    sql: 'ALTER TABLE inbox_attempt ADD COLUMN elsewhere INTEGER;',
  },
  {
    number: 5,
    name: 'numbers',
    sql: '',
    only: { sqlite: numbered },
    assertApplicable: assertNoListener,
  },
  // Older versions must not read what it brings: the row of a further target has no body of its own.
  {
    number: 6,
    name: 'targets',
    sql: 'ALTER TABLE inbox_owner ADD COLUMN targets TEXT;',
    assertApplicable: assertNoListener,
  },
];
