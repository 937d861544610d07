/** `webhook inbox [list]`: shows what was received, newest first. */
import { isoTime } from '../../../clock.ts';
import { usageError } from '../../../errors.ts';
import { warnOfUnknownEvents } from '../../../flags/event-name.ts';
import { parsePeriod, type TimeReference } from '../../../flags/moment.ts';
import { parseWholeNumber } from '../../../flags/whole-number.ts';
import { shownState } from '../../../forward/forward.ts';
import type { ForwardState, InboxEntry, InboxFilter, TargetOutcome } from '../../../inbox/inbox.ts';
import { timeReferenceOf } from '../../../runtime/time-reference.ts';
import type { Runtime } from '../../../runtime.ts';
import { type Bodies, bodyIn, wantsBody } from '../read-body.ts';
import { entryView, type ShownEntry, type ShownOutcome } from '../view.ts';

export interface InboxFlags {
  readonly event?: string;
  readonly id?: string;
  readonly contains?: string;
  readonly status?: keyof typeof states;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: string;
  readonly all?: boolean;
}

/** How many events are shown without --limit and --all. */
const usualLimit = 50;
const limitBounds = { min: 1, max: 1_000_000 };

export const states = {
  waiting: 'WAITING',
  delivered: 'DELIVERED',
  'given-up': 'GIVEN_UP',
  'not-forwarded': 'NONE',
} as const satisfies Record<string, ForwardState>;

export async function inbox(runtime: Runtime, flags: InboxFlags): Promise<void> {
  const output = await runtime.output(entryView);
  const filter = filterOf(flags, await timeReferenceOf(runtime, flags));
  if (flags.event !== undefined) warnOfUnknownEvents([flags.event], output.warn);
  const inbox = await runtime.inbox();
  const found = entries(inbox.list(filter));
  const items = wantsBody(output.options) ? withBodies(found, inbox) : found;
  const shown = await output.each(entryView, items, runtime.signal);
  if (shown === 0) {
    const isNarrowed = Object.keys(filter).some((name) => name !== 'last');
    output.note(
      isNarrowed
        ? `No event in the inbox (${inbox.location}) matches.`
        : `The inbox is ${inbox.location}; pixctl webhook listen fills it.`,
    );
  }
  if (shown === filter.last) output.note(`The newest ${shown} are shown; --limit or --all shows any others.`);
}

function filterOf(flags: InboxFlags, reference: TimeReference): InboxFilter {
  if (flags.limit !== undefined && flags.all === true)
    throw usageError('--limit and --all contradict each other. Nothing was sent.');
  const limit =
    flags.limit === undefined ? usualLimit : parseWholeNumber('--limit', flags.limit, limitBounds);
  const { since, until } = parsePeriod(flags, reference);
  return {
    ...(flags.event === undefined ? {} : { event: flags.event }),
    ...(flags.id === undefined ? {} : { id: flags.id }),
    ...(flags.contains === undefined ? {} : { contains: flags.contains }),
    ...(flags.status === undefined ? {} : { state: states[flags.status] }),
    ...(since === null ? {} : { since }),
    ...(until === null ? {} : { until }),
    ...(flags.all === true ? {} : { last: limit }),
  };
}

async function* entries(list: AsyncIterable<InboxEntry>): AsyncGenerator<ShownEntry> {
  for await (const entry of list) yield shownEntry(entry);
}

async function* withBodies(list: AsyncIterable<ShownEntry>, inbox: Bodies): AsyncGenerator<ShownEntry> {
  for await (const entry of list) yield { ...entry, body: await bodyIn(inbox, entry) };
}

export const shownEntry = ({ targets, ...entry }: InboxEntry): ShownEntry => ({
  id: entry.eventId,
  ...entry,
  state: shownState(entry.state),
  receivedAt: isoTime(entry.receivedAt),
  nextAt: shownTime(entry.nextAt),
  ...(targets && { targets: targets.map(shownOutcome) }),
});

const shownOutcome = ({ state, nextAt, ...owed }: TargetOutcome): ShownOutcome => ({
  ...owed,
  state: shownState(state),
  nextAt: shownTime(nextAt),
});

const shownTime = (at: number | null): string | null => (at === null ? null : isoTime(at));
