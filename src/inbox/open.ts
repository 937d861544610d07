/** Opens the inbox at an address: a SQLite file on this machine, or a PostgreSQL that hosts share. */
import type { Clock } from '../clock.ts';
import { showRowsOf, tableWithHiddenRows } from '../database/hidden-rows.ts';
import { openDatabase } from '../database/open.ts';
import type { Database } from '../database/port.ts';
import { configError } from '../errors.ts';
import { createClaimOwner } from './claim-owner.ts';
import { createInbox } from './create-inbox.ts';
import type { Inbox } from './inbox.ts';
import { inboxMigrations } from './schema.ts';

export interface OpenInboxOptions {
  /** `PIXCTL_LEDGER_URL` if it is PostgreSQL, otherwise the path of a file: see `database/open.ts`. */
  readonly url: string;
  readonly clock: Clock;
  /** Refuse an inbox that does not exist yet (78, `DATABASE_MISSING`). */
  readonly mustExist?: boolean;
  /** See `createInbox`. */
  readonly warn?: (text: string) => void;
}

/** Throws `PixctlError`: `storage` (74) or `config` (78; `INBOX_NOT_WHOLE` if it has triggers, or hides rows). */
export async function openInbox({ url, clock, mustExist, warn }: OpenInboxOptions): Promise<Inbox> {
  const database = await openDatabase(url, {
    ...{ room: 'inbox', migrations: inboxMigrations, clock, flush: 'shared', check: assertNoTriggers },
    ...(mustExist === undefined ? {} : { mustExist }),
  });
  try {
    await assertNoHiddenRows(database);
    const owner = await createClaimOwner(database.dialect === 'postgres');
    return createInbox(database, { clock, owner, warn });
  } catch (cause) {
    await database.close();
    throw cause;
  }
}

/** One in a file runs with every statement of ours: it may change what is stored, refuse it, or never end. */
async function assertNoTriggers(database: Database): Promise<void> {
  if (database.dialect !== 'sqlite') return;
  const [trigger] = await database.query<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'trigger'",
  );
  if (trigger === undefined) return;
  throw configError(
    'INBOX_NOT_WHOLE',
    `the inbox ${database.location} has a trigger that pixctl did not make (${trigger.name}) and that may change what is stored`,
    'Remove it (DROP TRIGGER).',
  );
}

const tables = ['inbox_event', 'inbox_attempt', 'inbox_owner', 'inbox_poll'];

async function assertNoHiddenRows(database: Database): Promise<void> {
  const table = await tableWithHiddenRows(database, tables);
  if (table === undefined) return;
  throw configError(
    'INBOX_NOT_WHOLE',
    `rows of the table ${table} in ${database.location} may be hidden from this user by row-level security: what waits in them is not forwarded, and an event that comes again cannot be stored`,
    showRowsOf(table),
  );
}
