/** Stores a batch of deliveries in one transaction: new ones as rows, repeated ones as a count. */
import { randomBytes } from 'node:crypto';
import type { Queries, Transaction, Value } from '../database/port.ts';
import { overallState, targetKeyOf } from '../forward/targets.ts';
import type { Condition, Deduplicator, NewRow } from './dedupe/deduplicator.ts';
import { copyOfTarget, furtherTargetsOf, stateOfRows, withoutForgotten } from './further-targets.ts';
import type { ForwardState, NewDelivery, StoreResult, TargetState } from './inbox.ts';
import { nothingOfItsOwn } from './rows.ts';

interface Row extends NewRow {
  readonly delivery: NewDelivery;
}

interface Storing {
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
  const several = rows.filter(({ key, delivery }) => delivery.further !== undefined && inserted.has(key));
  if (several.length > 0)
    await deduplicator.insert(
      tx,
      several.flatMap((row) => furtherRowsOf(row, ownerId, now)),
    );
  const answers: StoreResult[] = [];
  for (const { key, delivery, identity } of rows) {
    answers.push(
      inserted.has(key)
        ? newlyStored(key, delivery)
        : await countDuplicate(tx, delivery, await deduplicator.matchIdentity(tx, identity), now),
    );
  }
  return answers;
}

const noBody = new Uint8Array();

const stateOf = (how: NewDelivery['forward']): ForwardState => (how === 'none' ? 'NONE' : 'WAITING');

function newlyStored(key: string, { forward, target, further }: NewDelivery): StoreResult {
  const stored = { key, duplicate: false, state: stateOf(forward), attempts: 0 } as const;
  if (further === undefined || typeof target !== 'string') return stored;
  const targets = [{ target, forward }, ...further].map((each, at) => ({
    ...{ key: targetKeyOf(key, at), target: each.target, state: stateOf(each.forward), attempts: 0 },
  }));
  return { ...stored, state: overallState(targets.map(({ state }) => state)), targets };
}

/** The rows of an event's further targets. The event's first row keeps the headers and the body for all of them. */
const furtherRowsOf = ({ key, delivery }: Row, ownerId: string, now: number): Row[] =>
  (delivery.further ?? []).map((owed, at) =>
    rowOf({ ...delivery, ...owed, body: noBody }, ownerId, now, {
      key: targetKeyOf(key, at + 1),
      copy: copyOfTarget(at + 1),
      headers: nothingOfItsOwn,
    }),
  );

function rowOf(
  delivery: NewDelivery,
  ownerId: string,
  now: number,
  { key, copy, headers } = newIdentity(delivery, now),
): Row {
  const values: Value[] = [
    key,
    delivery.source,
    delivery.eventId,
    copy,
    delivery.event,
    now,
    delivery.origin,
    delivery.edits ?? null,
    headers,
    delivery.body,
    delivery.forward === 'none' ? 'NONE' : 'WAITING',
    delivery.target ?? null,
    delivery.forward === 'none' ? null : now,
    delivery.forward === 'claim' ? ownerId : null,
  ];
  const { eventId, source } = delivery;
  return { key, delivery, identity: { eventId, source, copy }, values };
}

function newIdentity({ origin, headers }: NewDelivery, now: number) {
  const key = newKey(now);
  return { key, copy: origin === 'edited' ? key : '', headers: JSON.stringify(headers) };
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
    target: string | null;
    attempts: number;
    same: boolean | number;
  }>(
    `UPDATE inbox_event SET duplicates = duplicates + 1 WHERE ${repeated.text(1)} RETURNING key, state, target, attempts, body = $${repeated.values.length + 1} AS same`,
    [...repeated.values, delivery.body],
  );
  if (row === undefined) throw new Error(`neither stored nor known: ${delivery.eventId}`);
  const { key, state } = row;
  const known = { key, duplicate: true, attempts: Number(row.attempts) } as const;
  const stored = row.same ? known : ({ ...known, changed: true } as const);
  const targets = row.target === null ? [] : await targetsOf(tx, { ...row, target: row.target });
  if (targets.length > 1) return countForTargets(tx, stored, targets, delivery.forward, now);
  if (delivery.forward === 'none' || state === 'WAITING' || state === 'DELIVERED')
    return { ...stored, state };
  await tx.query(
    "UPDATE inbox_event SET state = 'WAITING', target = NULL, failures = 0, next_at = $1 WHERE key = $2",
    [now, key],
  );
  return { ...stored, state: 'WAITING' };
}

async function targetsOf(tx: Queries, first: TargetState): Promise<TargetState[]> {
  const further = await furtherTargetsOf(tx, [first.key]);
  return [first, ...further].map(({ key, target, state, attempts }) => ({
    ...{ key, target: target ?? '', state, attempts: Number(attempts) },
  }));
}

/** The same for each application that never accepted it; where it is owed stays. */
async function countForTargets(
  tx: Queries,
  stored: Omit<StoreResult, 'state'>,
  before: readonly TargetState[],
  forward: NewDelivery['forward'],
  now: number,
): Promise<StoreResult> {
  const targets: TargetState[] = [];
  for (const each of withoutForgotten(before)) {
    const isDue = forward !== 'none' && (each.state === 'GIVEN_UP' || each.state === 'NONE');
    if (isDue)
      await tx.query("UPDATE inbox_event SET state = 'WAITING', failures = 0, next_at = $1 WHERE key = $2", [
        now,
        each.key,
      ]);
    targets.push(isDue ? { ...each, state: 'WAITING' } : each);
  }
  const state = stateOfRows(targets);
  return targets.length === 0 ? { ...stored, state } : { ...stored, state, targets };
}
