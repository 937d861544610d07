/** The rows of an event beyond its first: what is owed to further applications. Lists show them with that one. */
import type { Queries } from '../database/port.ts';
import { eventKeyOf, maxTargets, overallState, targetKeyOf } from '../forward/targets.ts';
import type { InboxEntry, TargetOutcome } from './inbox.ts';
import { type EntryRow, entryColumns, entryOf } from './rows.ts';

/** What tells such a row apart from the event's first (empty) and from edited copies (their key). */
export const copyOfTarget = (at: number): string => `target:${at + 1}`;

/** Leaves these rows out. */
export const isEvent = "(copy = '' OR origin = 'edited')";
/** Rows that may be the first of several. So may those to which an older pixctl gave an address. */
export const mayHaveMore = "(target IS NOT NULL AND origin <> 'edited')";

export const mayHaveMoreTargets = ({ target, origin }: Pick<InboxEntry, 'target' | 'origin'>): boolean =>
  target !== null && origin !== 'edited';

/** Keys in one statement. */
const together = 25;

/** The further rows of these events, in order. */
export async function furtherTargetsOf(database: Queries, eventKeys: readonly string[]): Promise<EntryRow[]> {
  const found: EntryRow[] = [];
  for (let at = 0; at < eventKeys.length; at += together) {
    const keys = eventKeys.slice(at, at + together).flatMap(furtherKeysOf);
    found.push(
      ...(await database.query<EntryRow>(
        `SELECT ${entryColumns} FROM inbox_event WHERE key IN (${keys.map((_, index) => `$${index + 1}`).join(', ')})`,
        keys,
      )),
    );
  }
  return found.sort((a, b) => (a.key < b.key ? -1 : 1));
}

const furtherKeysOf = (eventKey: string): string[] =>
  Array.from({ length: maxTargets - 1 }, (_, at) => targetKeyOf(eventKey, at + 1));

/** Completes those of these events that go to several applications. */
export async function withTargets<T extends InboxEntry>(
  database: Queries,
  events: readonly T[],
): Promise<readonly T[]> {
  const candidates = events.filter(mayHaveMoreTargets);
  if (candidates.length === 0) return events;
  const further = new Map<string, InboxEntry[]>();
  for (const row of await furtherTargetsOf(
    database,
    candidates.map(({ key }) => key),
  )) {
    const key = eventKeyOf(row.key);
    further.set(key, [...(further.get(key) ?? []), entryOf(row)]);
  }
  return events.map((event) => {
    const others = further.get(event.key);
    return others === undefined ? event : joined(event, others);
  });
}

function joined<T extends InboxEntry>(first: T, others: readonly InboxEntry[]): T {
  const targets = [first, ...others].map(toOutcome);
  const state = overallState(targets.map((each) => each.state));
  const decisive = targets.find((each) => each.state === state) ?? toOutcome(first);
  const { status, error, nextAt, failures } = decisive;
  const attempts = targets.reduce((sum, each) => sum + each.attempts, 0);
  return { ...first, state, attempts, failures, status, error, nextAt, target: null, targets };
}

const toOutcome = (entry: InboxEntry): TargetOutcome => {
  const { key, target, state, attempts, failures, nextAt, status, error } = entry;
  return { key, target: target ?? '', state, attempts, failures, nextAt, status, error };
};
