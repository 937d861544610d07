/** The inbox's tables, for both dialects. Times are milliseconds since the epoch. */
import { among } from '../database/among.ts';
import type { Migration } from '../database/port.ts';

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
  state TEXT NOT NULL CHECK ${among('state', ['NONE', 'WAITING', 'DELIVERED', 'GIVEN_UP'])},
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
];
