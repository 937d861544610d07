/**
 * Lets go of what one application never accepted, because it is gone for good. Its row of an event stays, owed to
 * nobody, so that the event keeps its place, its body and what became of it elsewhere.
 */
import { placeholders } from '../database/placeholders.ts';
import type { Database, Queries, Value } from '../database/port.ts';
import { targetKeyOf } from '../forward/targets.ts';
import { nobody } from './further-targets.ts';
import type { Forgotten, TargetChoice } from './inbox.ts';
import { keyRanges, portionsOf } from './key-ranges.ts';
import { atOnce } from './prune.ts';

/** Of these owners of claims, returns those whose claims no longer stand. */
type FindGoneOwners = (tx: Queries, holders: readonly string[]) => Promise<string[]>;

const unaccepted = (first: number) =>
  `target = $${first} AND state <> 'DELIVERED' AND received_at < $${first + 1}`;

/** Counts it. An index of what goes where would cost each delivery: this reads the whole inbox. */
export async function countForTarget(
  database: Queries,
  choice: TargetChoice,
  signal?: AbortSignal,
): Promise<number> {
  let found = 0;
  for await (const keys of findUnaccepted(database, choice, signal)) found += keys.length;
  return found;
}

/**
 * In small transactions, the oldest first, until `signal` aborts. Leaves what a live process has claimed: it may be
 * accepted any moment.
 */
export async function forgetTarget(
  database: Database,
  choice: TargetChoice,
  findGoneOwners: FindGoneOwners,
  signal?: AbortSignal,
): Promise<Forgotten> {
  let forgotten = 0;
  let held = 0;
  for await (const keys of findUnaccepted(database, choice, signal)) {
    for (const some of portionsOf(keys, atOnce)) {
      if (signal?.aborted) return { forgotten, held };
      const done = await database.transaction((tx) => forget(tx, choice, some, findGoneOwners));
      forgotten += done.forgotten;
      held += done.held;
    }
  }
  return { forgotten, held };
}

/** Its keys, the oldest first, in portions. */
async function* findUnaccepted(
  database: Queries,
  { target, before }: TargetChoice,
  signal?: AbortSignal,
): AsyncGenerator<readonly string[]> {
  for await (const { after, upTo } of keyRanges(database, signal)) {
    const found = await database.query<{ key: string }>(
      `SELECT key FROM inbox_event WHERE ${unaccepted(1)} AND key > $3 AND key <= $4 ORDER BY key`,
      [target, before, after, upTo],
    );
    yield found.map(({ key }) => key);
  }
}

async function forget(
  tx: Queries,
  { target, before }: TargetChoice,
  keys: readonly string[],
  findGoneOwners: FindGoneOwners,
): Promise<Forgotten> {
  const values: Value[] = [target, before, ...keys];
  // An update that changes nothing, so that nobody claims or accepts them before they are let go.
  const rows = await tx.query<{ key: string; claimed_by: string | null }>(
    `UPDATE inbox_event SET state = state WHERE ${unaccepted(1)} AND key IN (${placeholders(keys.length, 3)}) RETURNING key, claimed_by`,
    values,
  );
  const holders = new Set(rows.flatMap(({ claimed_by }) => claimed_by ?? []));
  const gone = new Set(await findGoneOwners(tx, [...holders]));
  const free = rows.filter(({ claimed_by }) => claimed_by === null || gone.has(claimed_by));
  const theirs = free.map(({ key }) => key);
  if (theirs.length > 0) {
    const places = placeholders(theirs.length);
    await tx.query(`DELETE FROM inbox_attempt WHERE key IN (${places})`, theirs);
    await tx.query(
      `UPDATE inbox_event SET ${owedToNobody}, attempts = 0, failures = 0, next_at = NULL, status = NULL, error = NULL, claimed_by = NULL WHERE key IN (${places})`,
      theirs,
    );
  }
  return { forgotten: theirs.length, held: rows.length - theirs.length };
}

/** One that is alone becomes an event that is forwarded nowhere, as if it had come without an application. */
const owedToNobody = `state = 'NONE', target = CASE WHEN copy LIKE 'target:%' OR EXISTS (SELECT 1 FROM inbox_event AS second WHERE second.key = inbox_event.key || '${targetKeyOf('', 1)}') THEN '${nobody}' ELSE NULL END`;
