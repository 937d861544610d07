/** Decides which events a replay takes, oldest first. */
import type { Inbox, InboxEntry, InboxEvent, InboxFilter, TargetOutcome } from '../../../inbox/inbox.ts';
import { notInInbox, originalOf } from '../named-event.ts';

export interface ReplayChoice {
  readonly ids: readonly string[];
  readonly last: number | null;
  /** Only those that the application has not accepted: given up, or still waiting. */
  readonly failed: boolean;
  /** Received at or after, and at or before: milliseconds since the epoch. */
  readonly since: number | null;
  readonly until: number | null;
  /** A text that the body holds. */
  readonly contains: string | null;
  readonly event: string | null;
}

/** What is remembered of each, since there may be many. */
export interface ChosenEvent extends Pick<InboxEntry, 'key' | 'eventId' | 'source' | 'state' | 'target'> {
  /** Of an event for several applications. */
  readonly targets?: readonly Pick<TargetOutcome, 'key' | 'target' | 'state'>[];
}

/** Returns each event once; none if nothing fits. Throws `notFound` (88) for an id that is not there. */
export async function chooseEvents(inbox: Inbox, choice: ReplayChoice): Promise<ChosenEvent[]> {
  const remember = createMemory();
  if (choice.ids.length > 0) {
    const named = await Promise.all(choice.ids.map(async (id) => remember(await eventToReplay(inbox, id))));
    return [...new Map(named.map((event) => [event.key, event])).values()];
  }
  const found: ChosenEvent[][] = [];
  for (const filter of filters(choice)) found.push(await newest(inbox, filter, choice, remember));
  const entries = found.flat().sort((a, b) => (a.key < b.key ? 1 : -1));
  return entries.slice(0, choice.last ?? undefined).reverse();
}

function filters({ failed, since, until, contains, event }: ReplayChoice): InboxFilter[] {
  const common: InboxFilter = {
    ...(since === null ? {} : { since }),
    ...(until === null ? {} : { until }),
    ...(contains === null ? {} : { contains }),
    ...(event === null ? {} : { event }),
  };
  if (!failed) return [common];
  return [
    { ...common, state: 'GIVEN_UP' },
    { ...common, state: 'WAITING' },
  ];
}

/** Returns the newest events. Edited copies, made by hand, are included only if what failed was asked for. */
async function newest(
  inbox: Inbox,
  filter: InboxFilter,
  choice: ReplayChoice,
  remember: (entry: InboxEntry) => ChosenEvent,
): Promise<ChosenEvent[]> {
  const entries: ChosenEvent[] = [];
  for await (const entry of inbox.list(filter)) {
    if (entries.length === choice.last) break;
    if (entry.origin !== 'edited' || choice.failed) entries.push(remember(entry));
  }
  return entries;
}

/** Makes a memory that keeps one copy of text that many rows share, because each row comes with its own. */
function createMemory(): (entry: InboxEntry) => ChosenEvent {
  const share = createInterner();
  return ({ key, eventId, source, state, target, targets }) => ({
    ...{ key, eventId, source: share(source), state: share(state) },
    target: target === null ? null : share(target),
    ...(targets && {
      targets: targets.map((each) => ({
        ...{ key: each.key, target: share(each.target), state: share(each.state) },
      })),
    }),
  });
}

export function createInterner(): <T extends string>(text: T) => T {
  const known = new Map<string, string>();
  return (text) => {
    const kept = known.get(text);
    if (kept !== undefined) return kept as typeof text;
    known.set(text, text);
    return text;
  };
}

/** Finds an event by key or by event id. Throws `notFound` (88). */
export async function eventToReplay(inbox: Inbox, id: string): Promise<InboxEvent> {
  const event = originalOf(await inbox.find(id), id);
  if (event === undefined) throw notInInbox(id, inbox.location);
  return event;
}
