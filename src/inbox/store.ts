/** Stores a batch of deliveries in one transaction: new ones as rows, known ones as a count. */
import { randomBytes } from 'node:crypto';
import type { Database, Queries, Transaction, Value } from '../database/port.ts';
import type { ForwardState, NewDelivery, Stored } from './inbox.ts';

const columns = [
  'key',
  'source',
  'event_id',
  'copy',
  'event',
  'received_at',
  'origin',
  'edits',
  'headers',
  'body',
  'state',
  'target',
  'next_at',
  'claimed_by',
] as const;

interface Row {
  readonly key: string;
  readonly delivery: NewDelivery;
  readonly values: readonly Value[];
}

/** Answers in the order given. `ownerId` claims what is to be forwarded now. */
export async function storeDeliveries(
  tx: Transaction,
  deliveries: readonly NewDelivery[],
  { ownerId, now, dialect }: { ownerId: string; now: number; dialect: Database['dialect'] },
): Promise<Stored[]> {
  const rows = deliveries.map((delivery) => rowOf(delivery, ownerId, now));
  const insert = dialect === 'sqlite' ? insertEach : insertTogether;
  const inserted = await insert(tx, firstOfEach(rows));
  const answers: Stored[] = [];
  for (const { key, delivery } of rows) {
    answers.push(
      inserted.has(key)
        ? { key, duplicate: false, state: delivery.forward === 'none' ? 'NONE' : 'WAITING', attempts: 0 }
        : await countDuplicate(tx, delivery, now),
    );
  }
  return answers;
}

function rowOf(delivery: NewDelivery, ownerId: string, now: number): Row {
  const key = newKey(now);
  const values: Value[] = [
    key,
    delivery.source,
    delivery.eventId,
    delivery.origin === 'edited' ? key : '',
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
  return { key, delivery, values };
}

let lastMs = 0;
let lastTime = '000000000';
let counter = 0;
/** Tells this process's keys from those of others in the same millisecond. */
const mark = randomBytes(5).toString('hex');

/**
 * Ordered by time within this process, also when the clock is set back, and by the millisecond between
 * processes.
 */
export function newKey(now: number): string {
  counter = now > lastMs ? 0 : counter + 1;
  if (now > lastMs) {
    lastMs = now;
    lastTime = now.toString(36).padStart(9, '0');
  }
  return `in_${lastTime}${counter.toString(36).padStart(4, '0')}${mark}`;
}

/** Sorted by event id, so that two processes storing the same events cannot wait for each other in a circle. */
function firstOfEach(rows: readonly Row[]): readonly Row[] {
  if (rows.length === 1) return rows;
  const ids = new Set(rows.map(({ delivery }) => delivery.eventId));
  const first = ids.size === rows.length ? [...rows] : distinct(rows);
  return first.sort((a, b) => (a.delivery.eventId < b.delivery.eventId ? -1 : 1));
}

function distinct(rows: readonly Row[]): Row[] {
  const first = new Map<string, Row>();
  for (const row of rows) {
    const identity = `${row.delivery.eventId}\n${row.delivery.source}\n${row.values[3]}`;
    if (!first.has(identity)) first.set(identity, row);
  }
  return [...first.values()];
}

/** In SQLite many parameters cost more than many statements: 64 rows at once 15 us a row, one by one 3. */
async function insertEach(tx: Transaction, rows: readonly Row[]): Promise<Set<string>> {
  const changes = await tx.executeEach(
    insertText(1),
    rows.map(({ values }) => values),
  );
  return new Set(rows.flatMap(({ key }, at) => (changes[at] === 1 ? [key] : [])));
}

/** Rows a statement: few different texts, so that each is prepared once. */
const portions = [64, 16, 4, 1] as const;

/** Over a network each statement is a round trip. */
async function insertTogether(tx: Queries, rows: readonly Row[]): Promise<Set<string>> {
  const inserted = new Set<string>();
  let start = 0;
  while (start < rows.length) {
    const size = portions.find((portion) => portion <= rows.length - start) ?? 1;
    const portion = rows.slice(start, start + size);
    const stored = await tx.query<{ key: string }>(
      `${insertText(size)} RETURNING key`,
      portion.flatMap((row) => row.values),
    );
    for (const { key } of stored) inserted.add(key);
    start += size;
  }
  return inserted;
}

const texts = new Map<number, string>();

function insertText(rows: number): string {
  let text = texts.get(rows);
  if (text === undefined) {
    const tuple = (row: number) =>
      `(${columns.map((_, column) => `$${row * columns.length + column + 1}`).join(',')})`;
    text = `INSERT INTO inbox_event (${columns.join(', ')}) VALUES ${Array.from({ length: rows }, (_, row) => tuple(row)).join(',')} ON CONFLICT (event_id, source, copy) DO NOTHING`;
    texts.set(rows, text);
  }
  return text;
}

/** An event that the application never accepted is due again: whoever sent it again wants it accepted. */
async function countDuplicate(tx: Queries, delivery: NewDelivery, now: number): Promise<Stored> {
  const [row] = await tx.query<{
    key: string;
    state: ForwardState;
    attempts: number;
    same: boolean | number;
  }>(
    "UPDATE inbox_event SET duplicates = duplicates + 1 WHERE event_id = $1 AND source = $2 AND copy = '' RETURNING key, state, attempts, body = $3 AS same",
    [delivery.eventId, delivery.source, delivery.body],
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
