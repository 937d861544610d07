/** What is due in the forward queue, in SQL: how it is found, and claimed by key. */
import type { Queries, Value } from '../database/port.ts';
import { type EventNameFilter, maxRetryDelayMs } from '../forward/forward.ts';
import type { ClaimFilter, InboxEvent } from './inbox.ts';
import { type EventRow, eventColumns, eventOf } from './rows.ts';

export interface ClaimRequest {
  readonly source: string;
  readonly limit: number;
  readonly choice: ClaimFilter;
}

export interface DueKeys {
  /** Oldest first. */
  readonly keys: readonly string[];
  /** Events younger than this were not looked for; null if all were. */
  readonly upTo: string | null;
}

export const byKey = (a: InboxEvent, b: InboxEvent) => (a.key < b.key ? -1 : 1);

/** Releases the claims of processes that are gone. */
export async function releaseGoneOwners(
  tx: Queries,
  source: string,
  retireGoneOwners: (holders: readonly string[]) => Promise<string[]>,
): Promise<void> {
  const holders = await tx.query<{ claimed_by: string }>(
    "SELECT DISTINCT claimed_by FROM inbox_event WHERE state = 'WAITING' AND source = $1 AND claimed_by IS NOT NULL",
    [source],
  );
  for (const id of await retireGoneOwners(holders.map(({ claimed_by }) => claimed_by))) {
    await tx.query(
      "UPDATE inbox_event SET claimed_by = NULL WHERE state = 'WAITING' AND source = $1 AND claimed_by = $2",
      [source, id],
    );
  }
}

/**
 * The keys of the oldest events that may be claimed. Sorts by an expression: otherwise PostgreSQL prefers the order of
 * the keys to the index of what waits, and reads everything that was settled in years.
 */
export async function findDue(
  tx: Queries,
  { source, choice }: ClaimRequest,
  planned: Planned,
  limit: number,
): Promise<DueKeys> {
  const values: Value[] = [source, limit];
  const rows = await tx.query<{ key: string }>(
    `SELECT key FROM inbox_event WHERE source = $1 AND state = 'WAITING' AND ${claimable(choice, planned, values)} ORDER BY key || '' LIMIT $2`,
    values,
  );
  const keys = rows.map(({ key }) => key);
  return { keys, upTo: keys.length < limit ? null : (keys.at(-1) ?? null) };
}

/**
 * Claims the first `most` of these keys that are still due and free; `left` are the keys after them. Compares the state
 * through an expression: with statistics from before anything waited, PostgreSQL would otherwise use the index of what
 * waits, and read all of it for each claim.
 */
export async function claimInOrder(
  tx: Queries,
  { choice }: ClaimRequest,
  keys: readonly string[],
  most: number,
  ownerId: string,
  now: number,
): Promise<{ readonly events: InboxEvent[]; readonly left: readonly string[] }> {
  const events: InboxEvent[] = [];
  let at = 0;
  while (events.length < most && at < keys.length) {
    const some = keys.slice(at, at + Math.min(most - events.length, mostKeys));
    at += some.length;
    const values: Value[] = [ownerId];
    const list = listInto(values)(filledUp(some));
    // Judged here, and again by PostgreSQL after it has waited for another process's claim.
    const rows = await tx.query<EventRow>(
      `UPDATE inbox_event SET claimed_by = $1 WHERE key IN (${list}) AND state || '' = 'WAITING' AND ${claimable(choice, plannedFor(now), values)} RETURNING ${eventColumns}`,
      values,
    );
    events.push(...rows.map(eventOf).sort(byKey));
  }
  return { events, left: keys.slice(at) };
}

/** Numbers of keys in one statement: only a few, so that each text is prepared once. */
const portions = [1, 4, 16, 64, 256] as const;
const mostKeys = 256;

/** Pads the keys to a portion by repeating the last one. */
function filledUp(keys: readonly string[]): string[] {
  const size = portions.find((portion) => portion >= keys.length) ?? mostKeys;
  return Array.from({ length: size }, (_, at) => keys[Math.min(at, keys.length - 1)] as string);
}

/**
 * Milliseconds. Anything planned further ahead was planned before the machine's clock was set back. It exceeds the
 * longest pause because the clock of a host that shares the inbox may be ahead, and its longest pause must not count as
 * due at once.
 */
const farthestPlanMs = 2 * maxRetryDelayMs;

/** A condition on when the next attempt is planned. */
type Planned = (values: Value[]) => string;

export const plannedFor =
  (now: number): Planned =>
  (values) =>
    `next_at NOT BETWEEN $${values.push(now + 1)} AND $${values.push(now + farthestPlanMs)}`;

export const plannedBetween =
  (from: number, now: number): Planned =>
  (values) =>
    `next_at BETWEEN $${values.push(from)} AND $${values.push(now)}`;

/** The condition for owed events that are due, unclaimed, and chosen. */
const claimable = (choice: ClaimFilter, planned: Planned, values: Value[]): string =>
  `${planned(values)} AND claimed_by IS NULL AND ${chosen(choice, listInto(values))}`;

/** Appends texts to the parameters, and returns their placeholders. */
const listInto =
  (values: Value[]) =>
  (items: readonly string[]): string =>
    items.map((item) => `$${values.push(item)}`).join(', ');
type List = ReturnType<typeof listInto>;

/** Spelled out where a list is empty, because PostgreSQL rejects `IN ()`. */
function chosen({ names, excludedTargets }: ClaimFilter, list: List): string {
  const own =
    excludedTargets.length === 0 ? 'target IS NOT NULL' : `target NOT IN (${list(excludedTargets)})`;
  return `(${own} OR (target IS NULL AND ${named(names, list)}))`;
}

function named(names: EventNameFilter, list: List): string {
  if ('only' in names) return names.only.length === 0 ? 'FALSE' : `event IN (${list(names.only)})`;
  return names.except.length === 0 ? 'TRUE' : `event NOT IN (${list(names.except)})`;
}
