/** Rows of events, deliveries and attempts. Whatever writes expects to be in a transaction. */
import type { Store } from '../store/store.ts';
import type { DeliveryState } from './delivery-policy.ts';

export interface DeliveryRow {
  readonly seq: number;
  readonly endpoint: string;
  readonly url: string;
  readonly secret: string;
  readonly envelopeId: string;
  readonly name: string;
  readonly data: string;
  /** When the event occurred. */
  readonly occurredAt: number;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly fixedSignature: string | null;
}

export interface OpenAttempt {
  readonly seq: number;
  readonly delivery: number;
  readonly endpoint: string;
  readonly number: number;
}

const deliveryColumns = `d.seq, d.endpoint, p.url, p.secret, d.envelope_id AS envelopeId,
  e.event AS name, e.data, e.occurred_at AS occurredAt, d.state, d.attempts, d.fixed_signature AS fixedSignature`;

export const readDelivery = (store: Store, seq: number): DeliveryRow | undefined =>
  store.get<DeliveryRow>(
    `SELECT ${deliveryColumns} FROM deliveries d JOIN events e ON e.seq = d.event
       JOIN endpoints p ON p.id = d.endpoint WHERE d.seq = ?`,
    seq,
  );

export interface NewDelivery {
  readonly event: number;
  readonly endpoint: string;
  readonly envelopeId: string;
  readonly heldForNext?: boolean;
  readonly replayOf?: number;
  readonly fixedSignature?: string | null;
}

export const insertDelivery = (
  store: Store,
  it: NewDelivery,
  { now, nextAt }: { readonly now: number; readonly nextAt: number },
): number =>
  store.run(
    `INSERT INTO deliveries (event, endpoint, envelope_id, next_at, held_for_next, replay_of, fixed_signature, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    it.event,
    it.endpoint,
    it.envelopeId,
    nextAt,
    it.heldForNext ? 1 : 0,
    it.replayOf ?? null,
    it.fixedSignature ?? null,
    now,
  ).rowid;

/** Records that attempt `number` is about to be sent. The UNIQUE and CHECK constraints refuse a fourth one. */
export function openAttempt(
  store: Store,
  it: { delivery: number; endpoint: string; number: number; now: number; request: string },
): number {
  store.run(
    'UPDATE deliveries SET attempts = ?, reason = NULL, next_at = NULL, held_for_next = 0 WHERE seq = ?',
    it.number,
    it.delivery,
  );
  return store.run(
    'INSERT INTO attempts (delivery, endpoint, number, started_at, request) VALUES (?, ?, ?, ?, ?)',
    it.delivery,
    it.endpoint,
    it.number,
    it.now,
    it.request,
  ).rowid;
}

interface AttemptResult {
  readonly now: number;
  /** Duration of the exchange, real milliseconds; null if not known. */
  readonly durationMs: number | null;
  readonly outcome: string;
  readonly response: string | null;
  readonly state: DeliveryState;
  readonly reason: string;
  /** Sandbox time of the next attempt. */
  readonly nextAt: number | null;
}

export function closeAttempt(store: Store, attempt: OpenAttempt, it: AttemptResult): void {
  store.run(
    'UPDATE attempts SET ended_at = ?, duration_ms = ?, outcome = ?, response = ?, state = ?, reason = ? WHERE seq = ?',
    it.now,
    it.durationMs,
    it.outcome,
    it.response,
    it.state,
    it.reason,
    attempt.seq,
  );
  store.run(
    'UPDATE deliveries SET state = ?, reason = ?, next_at = ? WHERE seq = ?',
    it.state,
    it.reason,
    it.nextAt,
    attempt.delivery,
  );
}

/** Returns the attempts whose end was not recorded, because the sandbox was killed. */
export const listOpenAttempts = (store: Store): OpenAttempt[] =>
  store.all<OpenAttempt>(
    'SELECT seq, delivery, endpoint, number FROM attempts WHERE ended_at IS NULL ORDER BY seq',
  );

/**
 * Returns when a delivery's first attempt was signed, before any fault moved it, in Unix seconds; null if there is
 * none.
 */
export const readFirstSignedAt = (store: Store, delivery: number): number | null =>
  store.get<{ at: number | null }>(
    `SELECT json_extract(request, '$.signedAt') AS at FROM attempts WHERE delivery = ? AND number = 1`,
    delivery,
  )?.at ?? null;

/**
 * Returns the endpoint's deliveries that wait for its next event to overtake them; only those made before `by`, if
 * given.
 */
export const listHeldDeliveries = (store: Store, endpoint: string, by: number | null = null): number[] =>
  store
    .all<{ seq: number }>(
      'SELECT seq FROM deliveries WHERE endpoint = ?1 AND held_for_next = 1 AND (?2 IS NULL OR seq < ?2)',
      endpoint,
      by,
    )
    .map(({ seq }) => seq);
