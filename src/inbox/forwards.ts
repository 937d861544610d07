/** The forward queue as rows: claiming what is due, queueing again, recording attempts. */
import type { Queries, Value } from '../database/port.ts';
import type { Names } from '../forward/forward.ts';
import type { ClaimChoice, InboxEvent, Outcome } from './inbox.ts';
import { type EventRow, eventOf } from './rows.ts';

export interface Claimant {
  readonly ownerId: string;
  /** Owners whose claims no longer stand. */
  readonly gone: readonly string[];
  readonly now: number;
}

export const whatever: ClaimChoice = { names: { except: [] }, notTo: [] };

/** Claims up to `limit` due events of a source that no live process holds; oldest first. */
export async function claimDue(
  tx: Queries,
  source: string,
  limit: number,
  choice: ClaimChoice,
  { ownerId, gone, now }: Claimant,
): Promise<InboxEvent[]> {
  const values: Value[] = [ownerId, source, now, limit];
  const list: List = (items) => items.map((item) => `$${values.push(item)}`).join(', ');
  const free =
    gone.length === 0 ? 'claimed_by IS NULL' : `(claimed_by IS NULL OR claimed_by IN (${list(gone)}))`;
  // The outer repetition of `free` is what PostgreSQL judges again after waiting for another's claim.
  const rows = await tx.query<EventRow>(
    `UPDATE inbox_event SET claimed_by = $1 WHERE key IN (
       SELECT key FROM inbox_event
       WHERE state = 'WAITING' AND source = $2 AND next_at <= $3 AND ${free} AND ${chosen(choice, list)}
       ORDER BY key LIMIT $4
     ) AND state = 'WAITING' AND ${free} RETURNING *`,
    values,
  );
  return rows.map(eventOf).sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Makes parameters of texts. */
type List = (items: readonly string[]) => string;

/** In full where a list is empty: PostgreSQL takes no `IN ()`. */
function chosen({ names, notTo }: ClaimChoice, list: List): string {
  const own = notTo.length === 0 ? 'target IS NOT NULL' : `target NOT IN (${list(notTo)})`;
  return `(${own} OR (target IS NULL AND ${named(names, list)}))`;
}

function named(names: Names, list: List): string {
  if ('only' in names) return names.only.length === 0 ? 'FALSE' : `event IN (${list(names.only)})`;
  return names.except.length === 0 ? 'TRUE' : `event NOT IN (${list(names.except)})`;
}

/** Owed again, from the first attempt on, claimed by this process; in the order of the keys given. */
export async function requeue(
  tx: Queries,
  keys: readonly string[],
  target: string | null,
  { ownerId, now }: Omit<Claimant, 'gone'>,
): Promise<InboxEvent[]> {
  const events: InboxEvent[] = [];
  for (const key of keys) {
    const [row] = await tx.query<EventRow>(
      "UPDATE inbox_event SET state = 'WAITING', target = $1, failures = 0, next_at = $2, claimed_by = $3 WHERE key = $4 RETURNING *",
      [target, now, ownerId, key],
    );
    if (row !== undefined) events.push(eventOf(row));
  }
  return events;
}

export async function recordOutcome(tx: Queries, outcome: Outcome): Promise<void> {
  await tx.query(
    'UPDATE inbox_event SET state = $1, attempts = $2, failures = $3, next_at = $4, status = $5, error = $6, claimed_by = NULL WHERE key = $7',
    [
      outcome.state,
      outcome.number,
      outcome.failures,
      outcome.nextAt,
      outcome.status,
      outcome.error,
      outcome.key,
    ],
  );
  await tx.query(
    'INSERT INTO inbox_attempt (key, number, url, started_at, ms, status, error, answer, signature, elsewhere) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (key, number) DO NOTHING',
    [
      outcome.key,
      outcome.number,
      outcome.url,
      Math.round(outcome.startedAt),
      Math.round(outcome.ms),
      outcome.status,
      outcome.error,
      outcome.answer,
      outcome.signature,
      outcome.elsewhere === true ? 1 : null,
    ],
  );
}

export async function postpone(tx: Queries, key: string, nextAt: number): Promise<void> {
  await tx.query(
    "UPDATE inbox_event SET next_at = $1, claimed_by = NULL WHERE key = $2 AND state = 'WAITING'",
    [nextAt, key],
  );
}
