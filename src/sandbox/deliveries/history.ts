/** Deliveries as they are read: by the control plane with all their attempts, by the API as history rows. */
import { isoTime } from '../../clock.ts';
import type { DeliveryRecord } from '../../contract/webhook.ts';
import type { AttemptOutcome, DeliveryState } from '../delivery-policy.ts';
import { describeOutcome } from '../delivery-policy.ts';
import type { Store } from '../store.ts';
import type { Reply } from './post.ts';
import { bodyOf } from './request.ts';

export interface Attempt {
  readonly number: number;
  /** ISO times on the sandbox clock; `endedAt` is null while it is under way. */
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** Real milliseconds of the exchange. */
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
  readonly event?: string | undefined;
  readonly eventId?: string | undefined;
  readonly state?: string | undefined;
  /** Only deliveries with a smaller number. */
  readonly before?: number | undefined;
  /** At most this many, newest first; 100 by default. */
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

/** Deliveries newest first, each with its attempts in order. */
export function listDeliveries(store: Store, filter: DeliveryFilter = {}): Delivery[] {
  const wanted: [string, string | number | undefined][] = [
    ['d.endpoint = ?', filter.endpoint],
    ['e.event = ?', filter.event],
    ['d.envelope_id = ?', filter.eventId],
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
    .map((row) => showDelivery(store, row));
}

function showDelivery(store: Store, row: Row): Delivery {
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
      .map((attempt) => showAttempt(attempt, body)),
  };
}

interface AttemptRow {
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

function showAttempt(row: AttemptRow, signedBody: string): Attempt {
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

interface HistoryRow extends AttemptRow {
  envelopeId: string;
  name: string;
}

/**
 * Rows of `GET /webhooks/{id}/deliveries`, one an attempt that has ended; the field names are assumed
 * (`delivery-record`). `beyond` is the number of the row to begin after, in the given direction.
 */
export function readHistory(
  store: Store,
  endpoint: string,
  page: { limit: number; beyond: number | null; direction: 'older' | 'newer' },
): { seq: number; record: DeliveryRecord }[] {
  const [compare, order, from] =
    page.direction === 'older' ? ['<', 'DESC', Number.MAX_SAFE_INTEGER] : ['>', 'ASC', 0];
  const rows = store.all<HistoryRow>(
    `SELECT a.*, d.envelope_id AS envelopeId, e.event AS name FROM attempts a JOIN deliveries d ON d.seq = a.delivery
       JOIN events e ON e.seq = d.event
     WHERE a.endpoint = ? AND a.ended_at IS NOT NULL AND a.seq ${compare} ? ORDER BY a.seq ${order} LIMIT ?`,
    endpoint,
    page.beyond ?? from,
    page.limit,
  );
  return rows.map((row) => ({ seq: row.seq, record: historyRecord(row) }));
}

function historyRecord(row: HistoryRow): DeliveryRecord {
  const outcome = JSON.parse(row.outcome ?? 'null') as AttemptOutcome;
  const success = row.state === 'DELIVERED';
  return {
    id: `dlv_${row.seq}`,
    eventId: row.envelopeId,
    event: row.name,
    status: row.state ?? 'PENDING',
    httpStatus: outcome.kind === 'answered' ? outcome.status : null,
    success,
    attempt: row.number,
    error: success ? null : describeOutcome(outcome),
    createdAt: isoTime(row.started_at),
  };
}
