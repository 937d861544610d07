/** Stores a batch of deliveries in one transaction: new ones as rows, repeated ones as a count. */
import { randomBytes } from 'node:crypto';
import type { Queries, Transaction, Value } from '../database/port.ts';
import type { Condition, Deduplicator, NewRow } from './dedupe/deduplicator.ts';
import type { ForwardState, NewDelivery, StoreResult } from './inbox.ts';

interface Row extends NewRow {
  readonly delivery: NewDelivery;
}

export interface Storing {
  /** The owner that claims what is to be forwarded now. */
  readonly ownerId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly deduplicator: Deduplicator;
}

/** Returns the answers in the order of the deliveries. */
export async function storeDeliveries(
  tx: Transaction,
  deliveries: readonly NewDelivery[],
  { ownerId, now, deduplicator }: Storing,
): Promise<StoreResult[]> {
  if (deliveries.length === 0) return [];
  const rows = deliveries.map((delivery) => rowOf(delivery, ownerId, now));
  const inserted = await deduplicator.insert(tx, firstOfEach(rows));
  const answers: StoreResult[] = [];
  for (const { key, delivery, identity } of rows) {
    answers.push(
      inserted.has(key)
        ? { key, duplicate: false, state: delivery.forward === 'none' ? 'NONE' : 'WAITING', attempts: 0 }
        : await countDuplicate(tx, delivery, await deduplicator.matchIdentity(tx, identity), now),
    );
  }
  return answers;
}

function rowOf(delivery: NewDelivery, ownerId: string, now: number): Row {
  const key = newKey(now);
  const copy = delivery.origin === 'edited' ? key : '';
  const values: Value[] = [
    key,
    delivery.source,
    delivery.eventId,
    copy,
    delivery.event,
    now,
    delivery.origin,
    delivery.edits ?? null,
    JSON.stringify(delivery.headers),
    delivery.body,
    delivery.forward === 'none' ? 'NONE' : 'WAITING',
    delivery.target ?? null,
    delivery.forward === 'none' ? null : now,
    delivery.forward === 'claim' ? ownerId : null,
  ];
  const { eventId, source } = delivery;
  return { key, delivery, identity: { eventId, source, copy }, values };
}

let lastMs = 0;
let lastTime = '000000000';
let counter = 0;
/** Distinguishes this process's keys from those of others in the same millisecond. */
const processTag = randomBytes(5).toString('hex');

/**
 * Makes a key. Keys sort by time within this process, even if the clock is set back, and by the millisecond between
 * processes.
 */
export function newKey(now: number): string {
  counter = now > lastMs ? 0 : counter + 1;
  if (now > lastMs) {
    lastMs = now;
    lastTime = now.toString(36).padStart(9, '0');
  }
  return `in_${lastTime}${counter.toString(36).padStart(4, '0')}${processTag}`;
}

function firstOfEach(rows: readonly Row[]): readonly Row[] {
  const ids = new Set(rows.map(({ delivery }) => delivery.eventId));
  if (ids.size === rows.length) return rows;
  const first = new Map<string, Row>();
  for (const row of rows) {
    const { eventId, source, copy } = row.identity;
    const identity = `${eventId}\n${source}\n${copy}`;
    if (!first.has(identity)) first.set(identity, row);
  }
  return [...first.values()];
}

/** An event that the application never accepted becomes due again: whoever sent it again wants it accepted. */
async function countDuplicate(
  tx: Queries,
  delivery: NewDelivery,
  repeated: Condition,
  now: number,
): Promise<StoreResult> {
  const [row] = await tx.query<{
    key: string;
    state: ForwardState;
    attempts: number;
    same: boolean | number;
  }>(
    `UPDATE inbox_event SET duplicates = duplicates + 1 WHERE ${repeated.text(1)} RETURNING key, state, attempts, body = $${repeated.values.length + 1} AS same`,
    [...repeated.values, delivery.body],
  );
  if (row === undefined) throw new Error(`neither stored nor known: ${delivery.eventId}`);
  const { key, state } = row;
  const known = { key, duplicate: true, attempts: Number(row.attempts) } as const;
  const stored = row.same ? known : ({ ...known, changed: true } as const);
  if (delivery.forward === 'none' || state === 'WAITING' || state === 'DELIVERED')
    return { ...stored, state };
  await tx.query(
    "UPDATE inbox_event SET state = 'WAITING', target = NULL, failures = 0, next_at = $1 WHERE key = $2",
    [now, key],
  );
  return { ...stored, state: 'WAITING' };
}
