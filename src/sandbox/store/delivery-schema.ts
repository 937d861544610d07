/**
 * Tables of endpoints, deliveries and attempts, which are part of the state's schema. The CHECK on `attempts.number` is
 * the fence: not even a bug can record, and so send, a fourth attempt. Times are milliseconds of sandbox time.
 */
import { sqlOneOf } from '../../database/sql-one-of.ts';

export const deliverySchema = `
CREATE TABLE endpoints (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  merchant_id TEXT NOT NULL REFERENCES merchants,
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  secret TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE INDEX endpoints_by_merchant ON endpoints (merchant_id, seq);

CREATE TABLE deliveries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  event INTEGER NOT NULL REFERENCES events (seq),
  endpoint TEXT NOT NULL REFERENCES endpoints (id),
  envelope_id TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'PENDING' CHECK ${sqlOneOf('state', ['PENDING', 'DELIVERED', 'FAILED'])},
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts BETWEEN 0 AND 3),
  next_at INTEGER,
  reason TEXT,
  replay_of INTEGER REFERENCES deliveries (seq),
  fixed_signature TEXT,
  held_for_next INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
);
CREATE INDEX deliveries_by_event ON deliveries (event);
CREATE INDEX deliveries_held ON deliveries (endpoint) WHERE held_for_next = 1;

CREATE TABLE attempts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  delivery INTEGER NOT NULL REFERENCES deliveries (seq),
  endpoint TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 3),
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  duration_ms INTEGER,
  request TEXT NOT NULL,
  outcome TEXT,
  response TEXT,
  state TEXT,
  reason TEXT,
  UNIQUE (delivery, number)
);
CREATE INDEX attempts_by_endpoint ON attempts (endpoint, seq);
CREATE INDEX attempts_open ON attempts (seq) WHERE ended_at IS NULL;
`;
