/** Decides where each event of a replay goes. */
import { usageError } from '../../../errors.ts';
import type { Inbox } from '../../../inbox/inbox.ts';
import { owedAddressOf } from '../../../listener/forwarding/replay.ts';
import { parseTarget } from '../../../listener/posting/target.ts';
import { type ChosenEvent, createInterner } from './choice.ts';
import type { ReplayRequest } from './flags.ts';

export interface AddressedEvent extends Pick<ChosenEvent, 'key' | 'eventId' | 'source'> {
  readonly url: string;
}

/** How many are looked up at once. For all of a large inbox it would be a gigabyte. */
const together = 50;

/** Finds every address before anything is sent. Throws `usageError` (64) for an event that has none. */
export async function resolveAddresses(
  inbox: Pick<Inbox, 'attempts'>,
  chosen: readonly ChosenEvent[],
  asked: Pick<ReplayRequest, 'forwardTo' | 'allowRemote'>,
): Promise<AddressedEvent[]> {
  const share = createInterner();
  const addressed: AddressedEvent[] = [];
  for (let at = 0; at < chosen.length; at += together) {
    const found = chosen.slice(at, at + together).map(async (event) => {
      const { key, eventId, source } = event;
      return {
        key,
        eventId,
        source,
        url: share(asked.forwardTo ?? (await previousAddressOf(inbox, event, asked))),
      };
    });
    addressed.push(...(await Promise.all(found)));
  }
  return addressed;
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
