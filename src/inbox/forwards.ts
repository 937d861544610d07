/** The forward queue as rows: claims single events and records attempts. What is due: `due-claimer.ts`. */
import type { Queries } from '../database/port.ts';
import { isSuccessStatus } from '../forward/forward.ts';
import type { Attempt, ForwardOutcome, ForwardState, RecordedReplay, ReplayAttempt } from './inbox.ts';

/** Claims an event that was not accepted yet, unless a live process holds it; returns whether it is claimed now. */
export async function claimOne(
  tx: Queries,
  key: string,
  ownerId: string,
  retireGoneOwners: (holders: readonly string[]) => Promise<string[]>,
): Promise<boolean> {
  const [row] = await tx.query<{ claimed_by: string | null }>(
    'SELECT claimed_by FROM inbox_event WHERE key = $1',
    [key],
  );
  const holder = row?.claimed_by ?? null;
  const [ended] = holder === null ? [] : await retireGoneOwners([holder]);
  const changed = await tx.execute(
    "UPDATE inbox_event SET claimed_by = $1 WHERE key = $2 AND state <> 'DELIVERED' AND (claimed_by IS NULL OR claimed_by = $3)",
    [ownerId, key, ended ?? null],
  );
  return changed === 1;
}

/** Whether a claim of this owner still stands; nobody can change that before the transaction ends. */
export async function isClaimedBy(tx: Queries, key: string, ownerId: string): Promise<boolean> {
  const same = await tx.execute(
    "UPDATE inbox_event SET claimed_by = claimed_by WHERE key = $1 AND claimed_by = $2 AND state = 'WAITING'",
    [key, ownerId],
  );
  return same === 1;
}

export async function releaseClaim(tx: Queries, key: string, ownerId: string): Promise<void> {
  await tx.query('UPDATE inbox_event SET claimed_by = NULL WHERE key = $1 AND claimed_by = $2', [
    key,
    ownerId,
  ]);
}

/**
 * Records an outcome. Once an application has accepted an event, no attempt that ends later undoes that. Keeps nothing
 * of an event that was replayed and pruned while the attempt was under way.
 */
export async function recordOutcome(tx: Queries, outcome: ForwardOutcome): Promise<void> {
  const { key, number, state, status, error } = outcome;
  const isUndone = "state = 'DELIVERED' AND $1 <> 'DELIVERED'";
  const changed = await tx.execute(
    `UPDATE inbox_event SET claimed_by = NULL, failures = $3, next_at = $4,
       state = CASE WHEN ${isUndone} THEN state ELSE $1 END,
       status = CASE WHEN ${isUndone} THEN status ELSE $5 END,
       error = CASE WHEN ${isUndone} THEN error ELSE $6 END,
       attempts = CASE WHEN attempts < $2 THEN $2 ELSE attempts END
     WHERE key = $7`,
    [state, number, outcome.failures, outcome.nextAt, status, error, key],
  );
  if (changed > 0) await keepAttempt(tx, outcome);
}

/** Changes only what follows from the replay: the row's claim and its plan belong to a listener. */
export async function recordReplay(
  tx: Queries,
  attempt: ReplayAttempt,
  becomes: (state: ForwardState) => ForwardState,
): Promise<RecordedReplay> {
  const { key, status, error } = attempt;
  // An update that changes nothing, so that nobody changes the row before this is decided.
  const [row] = await tx.query<{ state: ForwardState; attempts: number }>(
    'UPDATE inbox_event SET state = state WHERE key = $1 RETURNING state, attempts',
    [key],
  );
  if (row === undefined) throw new Error(`a replay of what is not in the inbox: ${key}`);
  const state = becomes(row.state);
  // The row must show an answer that fits its state.
  if (isSuccessStatus(status) === (state === 'DELIVERED'))
    await tx.query('UPDATE inbox_event SET status = $1, error = $2 WHERE key = $3', [status, error, key]);
  if (state !== row.state)
    await tx.query('UPDATE inbox_event SET state = $1, next_at = NULL, claimed_by = NULL WHERE key = $2', [
      state,
      key,
    ]);
  const proposed = Number(row.attempts) + 1;
  await tx.query('UPDATE inbox_event SET attempts = $1 WHERE key = $2', [proposed, key]);
  return { number: await keepAttempt(tx, { ...attempt, number: proposed }), state };
}

/**
 * Stores an attempt, within a transaction that holds the event's row. If another attempt has taken the number
 * meanwhile, this one gets the next, unless it is this very attempt, written again. Returns the number.
 */
async function keepAttempt(tx: Queries, attempt: Attempt & { readonly key: string }): Promise<number> {
  const { key, number } = attempt;
  if (await insertAttempt(tx, attempt)) return number;
  const [known] = await tx.query<{ last: number | string | bigint; same: number | string | bigint }>(
    `SELECT MAX(number) AS last,
       SUM(CASE WHEN number = $2 AND url = $3 AND started_at = $4 AND ms = $5 THEN 1 ELSE 0 END) AS same
     FROM inbox_attempt WHERE key = $1`,
    [key, number, attempt.url, Math.round(attempt.startedAt), Math.round(attempt.ms)],
  );
  if (Number(known?.same) > 0) return number;
  const next = Number(known?.last) + 1;
  await insertAttempt(tx, { ...attempt, number: next });
  await tx.query('UPDATE inbox_event SET attempts = $1 WHERE key = $2', [next, key]);
  return next;
}

/** Returns false if there is already one of that number. */
async function insertAttempt(tx: Queries, attempt: Attempt & { readonly key: string }): Promise<boolean> {
  const changed = await tx.execute(
    'INSERT INTO inbox_attempt (key, number, url, started_at, ms, status, error, answer, signature, elsewhere) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (key, number) DO NOTHING',
    [
      attempt.key,
      attempt.number,
      attempt.url,
      Math.round(attempt.startedAt),
      Math.round(attempt.ms),
      attempt.status,
      attempt.error,
      attempt.answer,
      attempt.signature,
      attempt.elsewhere === true ? 1 : null,
    ],
  );
  return changed === 1;
}

export async function postpone(tx: Queries, key: string, nextAt: number): Promise<void> {
  await tx.query(
    "UPDATE inbox_event SET next_at = $1, claimed_by = NULL WHERE key = $2 AND state = 'WAITING'",
    [nextAt, key],
  );
}
