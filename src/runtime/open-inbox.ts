/** Which inbox. */
import { isPostgres } from '../database/address.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { Runtime } from '../runtime.ts';

/** Beside the ledger where hosts share a PostgreSQL; a file of its own otherwise. */
export async function openInboxOf({ clock, environment, config }: Runtime): Promise<Inbox> {
  const [{ openInbox }, { join }] = await Promise.all([import('../inbox/open.ts'), import('node:path')]);
  const shared = environment.PIXCTL_LEDGER_URL ?? '';
  const url = isPostgres(shared) ? shared : join((await config()).directories.state, 'inbox.sqlite');
  return openInbox({ url, clock });
}
