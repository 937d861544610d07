/** Opens the inbox at an address: a SQLite file of this machine, or a PostgreSQL that hosts share. */
import type { Clock } from '../clock.ts';
import { openDatabase } from '../database/open.ts';
import type { Inbox } from './inbox.ts';
import { inboxOn } from './inbox-on.ts';
import { inboxMigrations } from './schema.ts';
import { thisProcess } from './this-process.ts';

export interface OpenInboxOptions {
  /** `PIXCTL_LEDGER_URL` where it is PostgreSQL, else the path of a file: see `database/open.ts`. */
  readonly url: string;
  readonly clock: Clock;
}

/** Throws `PixctlError`: `storage` (74) or `config` (78). */
export async function openInbox({ url, clock }: OpenInboxOptions): Promise<Inbox> {
  const flush = 'shared';
  const database = await openDatabase(url, { room: 'inbox', migrations: inboxMigrations, clock, flush });
  return inboxOn(database, { clock, owner: await thisProcess(database.dialect === 'postgres') });
}
