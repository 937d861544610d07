/** The rows of an event beyond its first: what is owed to further applications. Lists show them with that one. */
import { placeholders } from '../database/placeholders.ts';
import type { Queries } from '../database/port.ts';
import { eventKeyOf, maxTargets, overallState, targetKeyOf } from '../forward/targets.ts';
import type { ForwardState, InboxEntry, TargetOutcome } from './inbox.ts';
import { type EntryRow, entryColumns, entryOf } from './rows.ts';

/** What tells such a row apart from the event's first (empty) and from edited copies (their key). */
export const copyOfTarget = (at: number): string => `target:${at + 1}`;

/** Leaves these rows out. */
export const isEvent = "(copy = '' OR origin = 'edited')";
/** The key of the event that a row belongs to: of a further row, without the dot and its place. */
export const eventKeyInSql =
  "CASE WHEN copy LIKE 'target:%' THEN substr(key, 1, length(key) - 2) ELSE key END";
/** Rows that may be the first of several. So may those to which an older pixctl gave an address. */
export const mayHaveMore = "(target IS NOT NULL AND origin <> 'edited')";

const mayHaveMoreTargets = ({ target, origin }: Pick<InboxEntry, 'target' | 'origin'>): boolean =>
  target !== null && origin !== 'edited';

/** The target of a row whose application was let go (`forget-target.ts`): that row counts no more. */
export const nobody = '';

type OfRow = Pick<InboxEntry, 'state' | 'target'>;

/** What is left of an event's rows: those that count. */
export const withoutForgotten = <T extends Pick<OfRow, 'target'>>(rows: readonly T[]): readonly T[] =>
  rows.filter(({ target }) => target !== nobody);

/** The state of the event with these rows. One that is owed to nobody any more was not forwarded. */
export const stateOfRows = (rows: readonly OfRow[]): ForwardState => {
  const counted = withoutForgotten(rows);
  return counted.length === 0 ? 'NONE' : overallState(counted.map(({ state }) => state));
};

/** Keys in one statement. */
const together = 25;

/** The further rows of these events, in order. */
export async function furtherTargetsOf(database: Queries, eventKeys: readonly string[]): Promise<EntryRow[]> {
  const found: EntryRow[] = [];
  for (let at = 0; at < eventKeys.length; at += together) {
    const keys = eventKeys.slice(at, at + together).flatMap(furtherKeysOf);
    found.push(
      ...(await database.query<EntryRow>(
        `SELECT ${entryColumns} FROM inbox_event WHERE key IN (${placeholders(keys.length)})`,
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
  const rows = [first, ...others];
  const state = stateOfRows(rows);
  const targets = withoutForgotten(rows).map(toOutcome);
  if (targets.length === 0) return { ...first, state, target: null };
  const decisive = targets.find((each) => each.state === state) ?? toOutcome(first);
  const { status, error, nextAt, failures } = decisive;
  const attempts = targets.reduce((sum, each) => sum + each.attempts, 0);
  return { ...first, state, attempts, failures, status, error, nextAt, target: null, targets };
}

const toOutcome = (entry: InboxEntry): TargetOutcome => {
  const { key, target, state, attempts, failures, nextAt, status, error } = entry;
  return { key, target: target ?? '', state, attempts, failures, nextAt, status, error };
};
