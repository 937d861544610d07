/** Tables of a sandbox's state. Amounts in cents, times in milliseconds since the epoch. */
import { chargeStatuses, withdrawalStatuses } from '../../contract/statuses.ts';
import { sqlOneOf } from '../../database/sql-one-of.ts';
import { deliverySchema } from './delivery-schema.ts';

/** Marks a file as a sandbox's state ("pixs"). */
export const applicationId = 0x70697873;
/** Raised with every change to a table: a state of another version is refused, never guessed at. */
export const schemaVersion = 2;

/** Withdrawals in flight, one per merchant. In exactly these words, so that SQLite uses the index on them. */
export const inFlightCondition = "status IN ('PENDING', 'PROCESSING')";

const accounts = ['available', 'pending', 'outside'];

const coreSchema = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE merchants (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  city TEXT NOT NULL,
  charges_enabled INTEGER NOT NULL,
  pix_key TEXT,
  min_ticket INTEGER NOT NULL,
  max_ticket INTEGER NOT NULL,
  withdrawals_enabled INTEGER NOT NULL,
  withdrawal_limit INTEGER NOT NULL,
  withdrawal_fee INTEGER NOT NULL,
  created_at INTEGER NOT NULL
);

CREATE TABLE api_keys (
  key TEXT PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
);

CREATE TABLE customers (
  id TEXT PRIMARY KEY,
  merchant_id TEXT NOT NULL REFERENCES merchants,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  tax_id TEXT NOT NULL,
  phone TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX one_customer_per_document ON customers (merchant_id, tax_id) WHERE deleted_at IS NULL;

-- The QR code is not kept: it is drawn again from br_code in less time than a row of its size takes.
CREATE TABLE charges (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  merchant_id TEXT NOT NULL REFERENCES merchants,
  amount INTEGER NOT NULL CHECK (amount > 0),
  status TEXT NOT NULL CHECK ${sqlOneOf('status', chargeStatuses)},
  txid TEXT NOT NULL,
  br_code TEXT NOT NULL,
  description TEXT,
  customer_id TEXT REFERENCES customers,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE INDEX charges_by_merchant ON charges (merchant_id, seq);

CREATE TABLE withdrawals (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  merchant_id TEXT NOT NULL REFERENCES merchants,
  amount INTEGER NOT NULL CHECK (amount > 0),
  fee INTEGER NOT NULL CHECK (fee >= 0),
  pix_key TEXT NOT NULL,
  pix_key_type TEXT NOT NULL,
  status TEXT NOT NULL CHECK ${sqlOneOf('status', withdrawalStatuses)},
  failed_reason TEXT,
  created_at INTEGER NOT NULL
);
CREATE INDEX withdrawals_by_merchant ON withdrawals (merchant_id, seq);
CREATE UNIQUE INDEX one_withdrawal_in_flight ON withdrawals (merchant_id) WHERE ${inFlightCondition};

-- Double entry: every row takes from one account and gives the same to another.
CREATE TABLE transfers (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  merchant_id TEXT NOT NULL REFERENCES merchants,
  source TEXT NOT NULL CHECK ${sqlOneOf('source', accounts)},
  target TEXT NOT NULL CHECK (${sqlOneOf('target', accounts)} AND target <> source),
  amount INTEGER NOT NULL CHECK (amount > 0),
  reason TEXT NOT NULL,
  reference TEXT,
  at INTEGER NOT NULL
);
CREATE INDEX transfers_by_merchant ON transfers (merchant_id, seq);
-- Both buckets, and what lies outside: together always nothing.
CREATE TABLE balances (
  merchant_id TEXT PRIMARY KEY REFERENCES merchants,
  available INTEGER NOT NULL DEFAULT 0,
  pending INTEGER NOT NULL DEFAULT 0 CHECK (pending >= 0),
  outside INTEGER NOT NULL DEFAULT 0,
  CHECK (available + pending + outside = 0)
);

CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  merchant_id TEXT NOT NULL REFERENCES merchants,
  event TEXT NOT NULL,
  data TEXT NOT NULL,
  occurred_at INTEGER NOT NULL
);
CREATE INDEX events_by_merchant ON events (merchant_id, seq);

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  payload TEXT NOT NULL,
  lane TEXT
);
CREATE INDEX jobs_by_due ON jobs (due_at, id);
CREATE INDEX jobs_by_lane ON jobs (lane, due_at, id);
`;

export const schema = `${coreSchema}\n${deliverySchema}`;
