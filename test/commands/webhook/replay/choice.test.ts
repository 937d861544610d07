/** Which events a replay takes, and in which order. */
import { expect, it } from 'vitest';
import { chooseEvents, type ReplayChoice } from '../../../../src/commands/webhook/replay/choice.ts';
import type { Inbox, InboxEntry, InboxFilter } from '../../../../src/inbox/inbox.ts';

const rows = [
  ['5', 'GIVEN_UP', 'service'],
  ['4', 'ACCEPTED', 'service'],
  ['3', 'WAITING', 'service'],
  ['2', 'GIVEN_UP', 'edited'],
  ['1', 'WAITING', 'service'],
] as const;
const entries = rows.map(([key, state, origin]) => ({
  ...{ key, eventId: `evt_${key}`, source: 'listen', state, origin, target: null },
})) as unknown as InboxEntry[];

/** Lists these from the newest to the oldest, and remembers what was asked for. */
function inboxOf() {
  const filters: InboxFilter[] = [];
  async function* list(filter: InboxFilter) {
    filters.push(filter);
    yield* entries.filter(({ state }) => filter.state === undefined || state === filter.state);
  }
  const find = async (id: string) => entries.filter(({ key, eventId }) => key === id || eventId === id);
  return { filters, inbox: { list, find, location: 'the inbox' } as unknown as Inbox };
}

const all: ReplayChoice = {
  ids: [],
  last: null,
  failed: false,
  since: null,
  until: null,
  contains: null,
  event: null,
};

it.each<[string, Partial<ReplayChoice>, readonly string[]]>([
  ['all but edited copies, oldest first', {}, ['1', '3', '4', '5']],
  ['the last two, oldest first', { last: 2 }, ['4', '5']],
  ['what failed or still waits, edited copies too', { failed: true }, ['1', '2', '3', '5']],
  ['the last three of these', { failed: true, last: 3 }, ['2', '3', '5']],
  ['those that are named, each once, as they are named', { ids: ['evt_4', '1', '4'] }, ['4', '1']],
])('%s', async (_, choice, keys) => {
  const { inbox } = inboxOf();
  expect((await chooseEvents(inbox, { ...all, ...choice })).map(({ key }) => key)).toEqual(keys);
});

it.each<[Partial<ReplayChoice>, readonly InboxFilter[]]>([
  [{}, [{}]],
  [{ since: 0 }, [{ since: 0 }]],
  [{ until: 0 }, [{ until: 0 }]],
  [{ contains: '' }, [{ contains: '' }]],
  [{ event: 'CHARGE_PAID' }, [{ event: 'CHARGE_PAID' }]],
  [
    { failed: true, since: 1, until: 2 },
    [
      { since: 1, until: 2, state: 'GIVEN_UP' },
      { since: 1, until: 2, state: 'WAITING' },
    ],
  ],
])('of %j the inbox is asked for %j', async (choice, filters) => {
  const asked = inboxOf();
  await chooseEvents(asked.inbox, { ...all, ...choice });
  expect(asked.filters).toEqual(filters);
});

it('one that is not there is 88', async () => {
  await expect(chooseEvents(inboxOf().inbox, { ...all, ids: ['evt_9'] })).rejects.toMatchObject({ exit: 88 });
});
