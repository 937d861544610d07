/** Which events a replay takes, oldest first. */
import { usageError } from '../../errors.ts';
import type { Inbox, InboxEntry, InboxEvent, InboxFilter } from '../../inbox/inbox.ts';
import { notInInbox, originalOf } from './show.ts';

export interface ReplayChoice {
  readonly ids: readonly string[];
  readonly last: number | null;
  /** Not taken by the application: given up, or still waiting. */
  readonly failed: boolean;
  /** Milliseconds since the epoch. */
  readonly since: number | null;
  readonly event: string | null;
}

/** Throws `notFound` (88) for an id that is not there, `usageError` (64) when nothing fits. */
export async function chooseEvents(inbox: Inbox, choice: ReplayChoice): Promise<InboxEvent[]> {
  if (choice.ids.length > 0) return Promise.all(choice.ids.map((id) => one(inbox, id)));
  const entries = (await Promise.all(filters(choice).map((filter) => collect(inbox, filter)))).flat();
  entries.sort((a, b) => (a.key < b.key ? 1 : -1));
  const originals = entries.filter(({ origin }) => origin !== 'edited' || choice.failed);
  const keys = originals.slice(0, choice.last ?? undefined).map(({ key }) => key);
  if (keys.length === 0)
    throw usageError('No event fits. Nothing was sent.', 'pixctl webhook inbox lists them.');
  return Promise.all(keys.reverse().map((key) => one(inbox, key)));
}

function filters({ failed, since, event }: ReplayChoice): InboxFilter[] {
  const common: InboxFilter = {
    ...(since === null ? {} : { since }),
    ...(event === null ? {} : { event }),
  };
  if (!failed) return [common];
  return [
    { ...common, state: 'GIVEN_UP' },
    { ...common, state: 'WAITING' },
  ];
}

async function collect(inbox: Inbox, filter: InboxFilter): Promise<InboxEntry[]> {
  const entries: InboxEntry[] = [];
  for await (const entry of inbox.list(filter)) entries.push(entry);
  return entries;
}

async function one(inbox: Inbox, id: string): Promise<InboxEvent> {
  const event = originalOf(await inbox.find(id), id);
  if (event === undefined) throw notInInbox(id, inbox.location);
  return event;
}
