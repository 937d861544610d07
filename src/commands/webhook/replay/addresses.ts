/** Decides where each event of a replay goes: to one address, or to each of several. */
import { usageError } from '../../../errors.ts';
import type { Inbox } from '../../../inbox/inbox.ts';
import { owedAddressOf } from '../../../listener/forwarding/replay.ts';
import { parseTarget } from '../../../listener/posting/target.ts';
import { type ChosenEvent, createInterner } from './choice.ts';
import type { ReplayRequest } from './flags.ts';

/** `key`: of the event, or of what is owed to the application there. */
export interface AddressedEvent extends Pick<ChosenEvent, 'key' | 'eventId' | 'source'> {
  readonly url: string;
  /** Where that is owed, if it is known without its attempts: of an event for several applications. */
  readonly owedTo: string | null;
}

type Place = Pick<AddressedEvent, 'key' | 'url' | 'owedTo'>;

/** How many are looked up at once. For all of a large inbox it would be a gigabyte. */
const together = 50;

/** Finds every address before anything is sent. Throws `usageError` (64) for an event that has none. */
export async function resolveAddresses(
  inbox: Pick<Inbox, 'attempts'>,
  chosen: readonly ChosenEvent[],
  asked: AskedPlaces,
): Promise<AddressedEvent[]> {
  const share = createInterner();
  const addressed: AddressedEvent[] = [];
  for (let at = 0; at < chosen.length; at += together) {
    const found = chosen.slice(at, at + together).map(async (event) => {
      const { eventId, source } = event;
      const places = await placesOf(inbox, event, asked);
      return places.map(({ key, url, owedTo }) => ({ key, eventId, source, url: share(url), owedTo }));
    });
    addressed.push(...(await Promise.all(found)).flat());
  }
  return addressed;
}

type AskedPlaces = Pick<ReplayRequest, 'forwardTo' | 'allowRemote'> & {
  readonly choice: Pick<ReplayRequest['choice'], 'failed'>;
};

/** Of what failed, the applications that have accepted it get it no more, also where they are named. */
async function placesOf(
  inbox: Pick<Inbox, 'attempts'>,
  event: ChosenEvent,
  asked: AskedPlaces,
): Promise<readonly Place[]> {
  const { key, targets } = event;
  const isDone = (owed: { readonly state: string }) => asked.choice.failed && owed.state === 'DELIVERED';
  if (asked.forwardTo !== null) return asked.forwardTo.flatMap((url) => placeAt(url, event, isDone));
  if (targets === undefined)
    return [{ key, url: await previousAddressOf(inbox, event, asked), owedTo: null }];
  return targets
    .filter((owed) => !isDone(owed))
    .map(({ key, target }) => ({ key, url: parseTarget(target, asked), owedTo: target }));
}

/** A replay to none of the applications of an event is recorded with what is owed to the first of them. */
function placeAt(
  url: string,
  { key, targets = [] }: ChosenEvent,
  isDone: (owed: { readonly state: string }) => boolean,
): Place[] {
  const meant = targets.find(({ target }) => target === url);
  if (meant !== undefined && isDone(meant)) return [];
  const owed = meant ?? targets[0];
  return [{ key: owed?.key ?? key, url, owedTo: owed?.target ?? null }];
}

/** Returns where it is owed, as far as known: a replay to another place must not draw later ones there. */
async function previousAddressOf(
  inbox: Pick<Inbox, 'attempts'>,
  event: ChosenEvent,
  { allowRemote }: Pick<ReplayRequest, 'allowRemote'>,
): Promise<string> {
  const attempts = await inbox.attempts(event.key);
  const before = owedAddressOf(event, attempts) ?? attempts.at(-1)?.url;
  if (before !== undefined && before !== '') return parseTarget(before, { allowRemote });
  throw usageError(
    `${event.eventId} was never forwarded, so there is no known address. Nothing was sent.`,
    event.state === 'WAITING'
      ? 'It waits for pixctl webhook listen, which forwards it to your application. With an address, like -f 3000, it goes there too.'
      : 'Give one, like -f 3000.',
  );
}
