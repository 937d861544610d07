/** Deliveries as the control plane reads them: every attempt, what was sent, what came back and why. */
import { isoTime } from '../../clock.ts';
import type { Store } from '../store/store.ts';
import { bodyOf } from './attempt-request.ts';
import type { DeliveryState } from './delivery-policy.ts';
import type { Reply } from './post.ts';

export interface Attempt {
  readonly number: number;
  /** ISO times on the sandbox clock. `endedAt` is null while the attempt is under way. */
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** Duration of the exchange, real milliseconds. */
  readonly durationMs: number | null;
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  /** What was signed: `<t>.<raw body>`; null for an identical replay. */
  readonly signedText: string | null;
  readonly response: Reply | null;
  /** Ids of the faults that fired on it. */
  readonly faults: readonly string[];
  readonly state: DeliveryState | null;
  /** What became of it, in words. */
  readonly reason: string | null;
}

export interface Delivery {
  readonly id: number;
  /** `id` of the envelope: what consumers deduplicate by. */
  readonly eventId: string;
  readonly event: string;
  readonly endpoint: string;
  readonly url: string;
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly nextAttemptAt: string | null;
  readonly replayOf: number | null;
  readonly createdAt: string;
  readonly attempts: readonly Attempt[];
}

export interface DeliveryFilter {
  readonly endpoint?: string | undefined;
  readonly merchantId?: string | undefined;
  readonly event?: string | undefined;
  /** The id of the event, or of the envelope that an endpoint saw. For the first endpoint they are the same. */
  readonly eventId?: string | undefined;
  /** Place of an event in the log. Selects its deliveries to every endpoint, including replays. */
  readonly eventSeq?: number | undefined;
  readonly state?: string | undefined;
  /** Only deliveries with a smaller number. */
  readonly before?: number | undefined;
  /** At most this many, newest first. Default 100. */
  readonly limit?: number | undefined;
}

interface Row {
  seq: number;
  envelopeId: string;
  name: string;
  data: string;
  endpoint: string;
  url: string;
  state: DeliveryState;
  reason: string | null;
  nextAt: number | null;
  replayOf: number | null;
  createdAt: number;
  occurredAt: number;
}

/** Lists deliveries newest first, each with its attempts in order. */
export function listDeliveries(store: Store, filter: DeliveryFilter = {}): Delivery[] {
  const wanted: [string, string | number | undefined][] = [
    ['d.endpoint = ?', filter.endpoint],
    ['e.merchant_id = ?', filter.merchantId],
    ['e.event = ?', filter.event],
    ['? IN (d.envelope_id, e.id)', filter.eventId],
    ['d.event = ?', filter.eventSeq],
    ['d.state = ?', filter.state],
    ['d.seq < ?', filter.before],
  ];
  const given = wanted.filter((pair): pair is [string, string | number] => pair[1] !== undefined);
  const where = given.map(([condition]) => condition).join(' AND ') || '1';
  return store
    .all<Row>(
      `SELECT d.seq, d.envelope_id AS envelopeId, e.event AS name, e.data, d.endpoint, p.url, d.state, d.reason,
         d.next_at AS nextAt, d.replay_of AS replayOf, d.created_at AS createdAt, e.occurred_at AS occurredAt
       FROM deliveries d JOIN events e ON e.seq = d.event JOIN endpoints p ON p.id = d.endpoint
       WHERE ${where} ORDER BY d.seq DESC LIMIT ?`,
      ...given.map(([, value]) => value),
      filter.limit ?? 100,
    )
    .map((row) => toDelivery(store, row));
}

function toDelivery(store: Store, row: Row): Delivery {
  const body = bodyOf({
    id: row.envelopeId,
    event: row.name,
    createdAt: isoTime(row.occurredAt),
    data: row.data,
  });
  return {
    id: row.seq,
    eventId: row.envelopeId,
    event: row.name,
    endpoint: row.endpoint,
    url: row.url,
    state: row.state,
    reason: row.reason,
    nextAttemptAt: row.nextAt === null ? null : isoTime(row.nextAt),
    replayOf: row.replayOf,
    createdAt: isoTime(row.createdAt),
    attempts: store
      .all<AttemptRow>('SELECT * FROM attempts WHERE delivery = ? ORDER BY number', row.seq)
      .map((attempt) => toAttempt(attempt, body)),
  };
}

/** A row of `attempts`. */
export interface AttemptRow {
  seq: number;
  number: number;
  started_at: number;
  ended_at: number | null;
  duration_ms: number | null;
  request: string;
  outcome: string | null;
  response: string | null;
  state: DeliveryState | null;
  reason: string | null;
}

function toAttempt(row: AttemptRow, signedBody: string): Attempt {
  const request = JSON.parse(row.request) as {
    headers: Record<string, string>;
    t: number | null;
    faults: string[];
    body?: string;
  };
  return {
    number: row.number,
    startedAt: isoTime(row.started_at),
    endedAt: row.ended_at === null ? null : isoTime(row.ended_at),
    durationMs: row.duration_ms,
    request: { headers: request.headers, body: request.body ?? signedBody },
    signedText: request.t === null ? null : `${request.t}.${signedBody}`,
    response: row.response === null ? null : (JSON.parse(row.response) as Reply),
    faults: request.faults,
    state: row.state,
    reason: row.reason,
  };
}
