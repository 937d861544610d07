/**
 * What is due of the forward queue, found and claimed. To find the oldest, all that waits is read: any of it may wait
 * for its next attempt, be held by another process, or go where there is no room. So such a look remembers more than
 * one claim takes, and the next claims take that, by key, with what has become due since. Else a backlog would cost its
 * square, on the thread that answers.
 */
import type { Clock } from '../clock.ts';
import type { Queries, Value } from '../database/port.ts';
import { longestPauseMs, type Names } from '../forward/forward.ts';
import type { ClaimChoice, InboxEvent } from './inbox.ts';
import { type EventRow, eventOf } from './rows.ts';

export interface Wanted {
  readonly source: string;
  readonly limit: number;
  readonly choice: ClaimChoice;
}

export interface Claimed {
  /** Oldest first; fewer than wanted only where a look has found no more. */
  readonly events: InboxEvent[];
  readonly ahead: Ahead;
}

/** All that was due and free up to a key, and is not claimed yet. */
interface Ahead {
  /** Oldest first. */
  readonly keys: readonly string[];
  /** What is younger than this was not looked for; null where everything was. */
  readonly upTo: string | null;
  /** What was due by then, milliseconds since the epoch, is known. */
  readonly dueBy: number;
  /** By the monotonic clock, milliseconds. */
  readonly goodUntil: number;
}

export interface Due {
  /** Within a transaction, which may run again. */
  claim(tx: Queries, wanted: Wanted): Promise<Claimed>;
  /** That transaction was committed. */
  committed(wanted: Wanted, claimed: Claimed): void;
}

export interface DueOptions {
  readonly ownerId: string;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Of owners of claims, those whose claims no longer stand. */
  readonly gone: (tx: Queries, holders: readonly string[]) => Promise<string[]>;
}

export const whatever: ClaimChoice = { names: { except: [] }, notTo: [] };

/** Keys remembered for each event that is wanted: so many claims can do without a look. */
const claimsAhead = 32;

/**
 * How long they are good for, milliseconds: what another process gives back waits so long. Looks take at most one part
 * in `lookShare` of the time, however many events wait.
 */
const goodForMs = 1_000;
const lookShare = 20;

/** What is planned for a moment may be committed so much later, milliseconds. */
const lateMs = 250;

export function createDue({ ownerId, clock, gone }: DueOptions): Due {
  const known = new Map<string, Ahead>();
  const nameOf = ({ source, choice }: Wanted) => JSON.stringify([source, choice]);
  const forget = (now: number) => {
    for (const [name, { goodUntil }] of known) if (goodUntil <= now) known.delete(name);
  };

  async function look(tx: Queries, wanted: Wanted): Promise<Ahead> {
    const from = clock.monotonic();
    await freeFromGone(tx, wanted.source, (holders) => gone(tx, holders));
    const dueBy = clock.now();
    const { keys, upTo } = await findDue(tx, wanted, plannedFor(dueBy), wanted.limit * claimsAhead);
    const to = clock.monotonic();
    return { keys, upTo, dueBy, goodUntil: to + Math.max(goodForMs, (to - from) * lookShare) };
  }

  /** With what has become due since. */
  async function brought(tx: Queries, wanted: Wanted, ahead: Ahead): Promise<Ahead> {
    const dueBy = clock.now();
    const since = await findDue(
      tx,
      wanted,
      plannedBetween(ahead.dueBy - lateMs, dueBy),
      wanted.limit * claimsAhead,
    );
    if (since.keys.length === 0) return { ...ahead, dueBy };
    const upTo = older(ahead.upTo, since.upTo);
    const keys = [...new Set([...ahead.keys, ...since.keys])].sort();
    return { ...ahead, keys: upTo === null ? keys : keys.filter((key) => key <= upTo), upTo, dueBy };
  }

  return {
    async claim(tx, wanted) {
      const { limit } = wanted;
      const take = (ahead: Ahead, most: number) =>
        claimInOrder(tx, wanted, ahead, most, ownerId, clock.now());
      forget(clock.monotonic());
      const remembered = known.get(nameOf(wanted));
      if (remembered === undefined || remembered.keys.length < limit)
        return take(await look(tx, wanted), limit);
      const claimed = await take(await brought(tx, wanted, remembered), limit);
      const left = limit - claimed.events.length;
      if (left === 0) return claimed;
      const more = await take(await look(tx, wanted), left);
      return { ...more, events: [...claimed.events, ...more.events].sort(byKey) };
    },
    committed(wanted, { ahead }) {
      known.set(nameOf(wanted), ahead);
    },
  };
}

const older = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other < one) ? other : one;
const byKey = (a: InboxEvent, b: InboxEvent) => (a.key < b.key ? -1 : 1);

/** What a process has claimed that is gone is nobody's. */
async function freeFromGone(
  tx: Queries,
  source: string,
  gone: (holders: readonly string[]) => Promise<string[]>,
): Promise<void> {
  const holders = await tx.query<{ claimed_by: string }>(
    "SELECT DISTINCT claimed_by FROM inbox_event WHERE state = 'WAITING' AND source = $1 AND claimed_by IS NOT NULL",
    [source],
  );
  for (const id of await gone(holders.map(({ claimed_by }) => claimed_by))) {
    await tx.query(
      "UPDATE inbox_event SET claimed_by = NULL WHERE state = 'WAITING' AND source = $1 AND claimed_by = $2",
      [source, id],
    );
  }
}

/**
 * The keys of the oldest that may be claimed; where there are more of them, up to which. Sorted by an expression,
 * because PostgreSQL takes the order of the keys for a shorter way than the index of what waits, and then reads all
 * that was settled in years.
 */
async function findDue(
  tx: Queries,
  { source, choice }: Wanted,
  planned: Planned,
  limit: number,
): Promise<Pick<Ahead, 'keys' | 'upTo'>> {
  const values: Value[] = [source, limit];
  const rows = await tx.query<{ key: string }>(
    `SELECT key FROM inbox_event WHERE source = $1 AND state = 'WAITING' AND ${claimable(choice, planned, values)} ORDER BY key || '' LIMIT $2`,
    values,
  );
  const keys = rows.map(({ key }) => key);
  return { keys, upTo: keys.length < limit ? null : (keys.at(-1) ?? null) };
}

/**
 * Of these keys the first that are still due and free. The state is an expression, because PostgreSQL else takes the
 * index of what waits where its statistics are from before anything did, and reads all of it for each claim.
 */
async function claimInOrder(
  tx: Queries,
  { choice }: Wanted,
  ahead: Ahead,
  most: number,
  ownerId: string,
  now: number,
): Promise<Claimed> {
  const { keys } = ahead;
  const events: InboxEvent[] = [];
  let at = 0;
  while (events.length < most && at < keys.length) {
    const some = keys.slice(at, at + Math.min(most - events.length, mostKeys));
    at += some.length;
    const values: Value[] = [ownerId];
    const list = listInto(values)(filledUp(some));
    // Judged here, and by PostgreSQL again after it has waited for another's claim.
    const rows = await tx.query<EventRow>(
      `UPDATE inbox_event SET claimed_by = $1 WHERE key IN (${list}) AND state || '' = 'WAITING' AND ${claimable(choice, plannedFor(now), values)} RETURNING *`,
      values,
    );
    events.push(...rows.map(eventOf).sort(byKey));
  }
  return { events, ahead: { ...ahead, keys: keys.slice(at) } };
}

/** Keys in one statement: few different numbers of them, so that each text is prepared once. */
const portions = [1, 4, 16, 64, 256] as const;
const mostKeys = 256;

/** With its last one again and again. */
function filledUp(keys: readonly string[]): string[] {
  const size = portions.find((portion) => portion >= keys.length) ?? mostKeys;
  return Array.from({ length: size }, (_, at) => keys[Math.min(at, keys.length - 1)] as string);
}

/**
 * Milliseconds. What is planned farther away was planned before the machine's clock was set back. More than a pause,
 * because the clock of a host that shares the inbox may be ahead: its longest pause is no reason to go at once.
 */
const farthestPlanMs = 2 * longestPauseMs;

/** When its next attempt is planned, as a condition. */
type Planned = (values: Value[]) => string;

const plannedFor =
  (now: number): Planned =>
  (values) =>
    `next_at NOT BETWEEN $${values.push(now + 1)} AND $${values.push(now + farthestPlanMs)}`;

const plannedBetween =
  (from: number, now: number): Planned =>
  (values) =>
    `next_at BETWEEN $${values.push(from)} AND $${values.push(now)}`;

/** Of what is owed: due, claimed by nobody, and chosen. */
const claimable = (choice: ClaimChoice, planned: Planned, values: Value[]): string =>
  `${planned(values)} AND claimed_by IS NULL AND ${chosen(choice, listInto(values))}`;

/** Makes parameters of texts, behind those that there are. */
const listInto =
  (values: Value[]) =>
  (items: readonly string[]): string =>
    items.map((item) => `$${values.push(item)}`).join(', ');
type List = ReturnType<typeof listInto>;

/** In full where a list is empty: PostgreSQL takes no `IN ()`. */
function chosen({ names, notTo }: ClaimChoice, list: List): string {
  const own = notTo.length === 0 ? 'target IS NOT NULL' : `target NOT IN (${list(notTo)})`;
  return `(${own} OR (target IS NULL AND ${named(names, list)}))`;
}

function named(names: Names, list: List): string {
  if ('only' in names) return names.only.length === 0 ? 'FALSE' : `event IN (${list(names.only)})`;
  return names.except.length === 0 ? 'TRUE' : `event NOT IN (${list(names.except)})`;
}
