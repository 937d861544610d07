/** Which inbox. */
import { isPostgres, pathOf } from '../database/address.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { Runtime } from '../runtime.ts';

/** Beside the ledger where hosts share a PostgreSQL; a file of its own otherwise. 78 for an address of neither. */
export async function openInboxOf({ clock, environment, config, output }: Runtime): Promise<Inbox> {
  const [{ openInbox }, { join }] = await Promise.all([import('../inbox/open.ts'), import('node:path')]);
  const shared = environment.PIXCTL_LEDGER_URL ?? '';
  // Also an address that was meant for a server: otherwise each host would keep and forward its own events.
  if (!isPostgres(shared)) pathOf(shared);
  const url = isPostgres(shared) ? shared : join((await config()).directories.state, 'inbox.sqlite');
  // Its own failure is told by whoever shows something.
  const warn = (text: string) =>
    void output().then(
      (shown) => shown.warn(text),
      () => {},
    );
  return openInbox({ url, clock, warn });
}
