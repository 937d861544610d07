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
}

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
      return places.map(({ key, url }) => ({ key, eventId, source, url: share(url) }));
    });
    addressed.push(...(await Promise.all(found)).flat());
  }
  return addressed;
}

type AskedPlaces = Pick<ReplayRequest, 'forwardTo' | 'allowRemote'> & {
  readonly choice: Pick<ReplayRequest['choice'], 'failed'>;
};

/** Of what failed, the applications that have accepted it get it no more. */
async function placesOf(
  inbox: Pick<Inbox, 'attempts'>,
  event: ChosenEvent,
  asked: AskedPlaces,
): Promise<readonly { readonly key: string; readonly url: string }[]> {
  const { key, targets } = event;
  if (asked.forwardTo !== null)
    return asked.forwardTo.map((url) => ({
      key: targets?.find(({ target }) => target === url)?.key ?? key,
      url,
    }));
  if (targets === undefined) return [{ key, url: await previousAddressOf(inbox, event, asked) }];
  return targets
    .filter(({ state }) => !asked.choice.failed || state !== 'DELIVERED')
    .map((owed) => ({ key: owed.key, url: parseTarget(owed.target, asked) }));
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
    'Give one, like -f 3000.',
  );
}
