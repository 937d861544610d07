/** Writes a change of an intent and its event. */
import { ConstraintError, type Database } from '../database/port.ts';
import { assertSingleClaim } from './checked-reads.ts';
import { assertIdLeads, indexDamage } from './damage.ts';
import type { Intent, NewEvent } from './intent.ts';
import type { IntentChange } from './ledger.ts';
import { toSingleIntent } from './read.ts';
import { type IntentRow, insertEvent, updateIntent } from './rows.ts';
import { applyChange } from './transitions.ts';

/** Implements `Ledger.record`. Throws `storage` (74) if a damaged index has let in what its rule forbids. */
export async function record(
  database: Database,
  intent: Intent,
  change: IntentChange,
  event: NewEvent,
): Promise<Intent | null> {
  const next = applyChange(intent, change, event);
  if (await write(database, next, change, event)) return next;
  // It may be a repeat, because the answer to the commit was lost with the connection: then the first commit took
  // effect.
  const [mine] = await database.query('SELECT id FROM ledger_events WHERE id = $1', [event.id]);
  if (mine === undefined) {
    await assertIdLeads(database, intent);
    return null;
  }
  return toSingleIntent(
    await database.query<IntentRow>('SELECT * FROM ledger_intents WHERE id = $1', [intent.id]),
  );
}

async function write(
  database: Database,
  next: Intent,
  change: IntentChange,
  event: NewEvent,
): Promise<boolean> {
  const claims = typeof change.resourceId === 'string';
  try {
    return await database.transaction(async (tx) => {
      if ((await tx.query(...updateIntent(next))).length === 0) return false;
      // An id in the service's answer is new. One found in its list may belong to another key.
      if (claims && next.inferred) await assertSingleClaim(database, tx, next);
      await tx.query(...insertEvent(next, event));
      return true;
    });
  } catch (cause) {
    if (!(cause instanceof ConstraintError) || database.dialect !== 'sqlite') throw cause;
    // A change takes nothing that others could have, except a claim: an index lacked the first of two rows.
    const { constraint } = cause;
    if (!constraint.startsWith('ledger_intents.') || (claims && constraint.endsWith('resource_id')))
      throw cause;
    throw indexDamage(database, 'one of two rows that its rules keep apart was');
  }
}
