/** Rows as either driver returns them, and what they mean. */
import type { Attempt, ForwardState, Headers, InboxEntry, InboxEvent, Origin } from './inbox.ts';

export interface EntryRow {
  key: string;
  source: string;
  event_id: string;
  event: string;
  received_at: number | bigint | string;
  origin: Origin;
  edits: string | null;
  duplicates: number;
  state: ForwardState;
  target: string | null;
  attempts: number;
  failures: number;
  next_at: number | bigint | string | null;
  status: number | null;
  error: string | null;
}

export interface EventRow extends EntryRow {
  headers: string;
  body: Uint8Array;
}

export interface AttemptRow extends Omit<Attempt, 'startedAt' | 'elsewhere'> {
  started_at: number | bigint | string;
  elsewhere: number | null;
}

export const entryColumns =
  'key, source, event_id, event, received_at, origin, edits, duplicates, state, target, attempts, failures, next_at, status, error';

/**
 * A further row of an event for several applications has neither headers nor body of its own: they are in the event's
 * first row, whose key it has, and a dot and its place.
 */
export const nothingOfItsOwn = '';

const kept = (column: 'headers' | 'body') =>
  `CASE WHEN headers = '${nothingOfItsOwn}' THEN (SELECT whole.${column} FROM inbox_event AS whole WHERE whole.key = substr(inbox_event.key, 1, length(inbox_event.key) - 2)) ELSE ${column} END AS ${column}`;

/** An `EventRow`, in any statement on `inbox_event`. */
export const eventColumns = `${entryColumns}, ${kept('headers')}, ${kept('body')}`;

export const entryOf = (row: EntryRow): InboxEntry => ({
  key: row.key,
  source: row.source,
  eventId: row.event_id,
  event: row.event,
  receivedAt: Number(row.received_at),
  origin: row.origin,
  edits: row.edits,
  duplicates: Number(row.duplicates),
  state: row.state,
  target: row.target,
  attempts: Number(row.attempts),
  failures: Number(row.failures),
  nextAt: row.state !== 'WAITING' || row.next_at === null ? null : Number(row.next_at),
  status: row.status === null ? null : Number(row.status),
  error: row.error,
});

export const eventOf = (row: EventRow): InboxEvent => ({
  ...entryOf(row),
  headers: JSON.parse(row.headers) as Headers,
  body: row.body,
});

export const attemptOf = (row: AttemptRow): Attempt => ({
  number: Number(row.number),
  url: row.url,
  startedAt: Number(row.started_at),
  ms: Number(row.ms),
  status: row.status === null ? null : Number(row.status),
  error: row.error,
  answer: row.answer,
  signature: row.signature,
  ...(row.elsewhere === null ? {} : { elsewhere: true }),
});
