/** Opens the inbox, and decides which one. */
import { join } from 'node:path';
import type { Config } from '../config/profile.ts';
import { isPostgres, sqlitePathOf } from '../database/address.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { OpenInboxOptions } from '../inbox/open.ts';
import type { Runtime } from '../runtime.ts';

/** The file of an inbox that is not beside a shared ledger. */
export const inboxPathOf = ({ directories }: Pick<Config, 'directories'>): string =>
  join(directories.state, 'inbox.sqlite');

/**
 * Opens the inbox: beside the ledger where hosts share a PostgreSQL, otherwise in a file of its own. Throws 78 for an
 * address of neither kind. `mustExist`: see `openInbox`.
 */
export async function openInboxOf(
  { clock, environment, config, output }: Runtime,
  { mustExist = false }: Pick<OpenInboxOptions, 'mustExist'> = {},
): Promise<Inbox> {
  const { openInbox } = await import('../inbox/open.ts');
  const shared = environment.PIXCTL_LEDGER_URL ?? '';
  // This refuses an address that was meant for a server, too: otherwise each host would keep and forward its own
  // events.
  if (!isPostgres(shared)) sqlitePathOf(shared);
  const url = isPostgres(shared) ? shared : inboxPathOf(await config());
  // If the output cannot be opened, whoever shows something will report it.
  const warn = (text: string) =>
    void output().then(
      (shown) => shown.warn(text),
      () => {},
    );
  return openInbox({ url, clock, mustExist, warn });
}
