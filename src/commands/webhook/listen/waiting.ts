/** What is owed to applications when a listener begins and ends, and how it is said. */
import type { Inbox, Waiting } from '../../../inbox/inbox.ts';
import type { Listener } from '../../../listener/listen.ts';
import { pruneCommandFor } from '../../../listener/posting/prune-command.ts';
import type { Targets } from '../../../listener/posting/targets.ts';
import { formatCount } from '../../../terminal/format-count.ts';

export interface WaitingEvents {
  /** Those of this listener's secrets. Of several applications, what waits is counted for each. */
  readonly own: number;
  /** Events of other secrets, whose applications this listener does not know. */
  readonly others: number;
  /** Whether `own` counts what is owed to applications, rather than events. */
  readonly countsForwards: boolean;
  /** Of `own`: what goes to addresses that this run does not name. */
  readonly unnamed: readonly { readonly target: string; readonly forwards: number }[];
}

/** Counts what waits. Looks once at what is its own, because more may be arriving. */
export async function countWaiting(
  inbox: Pick<Inbox, 'countWaiting' | 'countWaitingEvents'>,
  listener: Pick<Listener, 'sources'>,
  targets: Pick<Targets, 'all' | 'isSeveral'>,
): Promise<WaitingEvents> {
  const sources = new Set(listener.sources());
  const all = await inbox.countWaiting();
  const ours = all.filter(({ source }) => sources.has(source));
  const theirs = all.filter(({ source }) => !sources.has(source));
  const byTarget = new Map<string, number>();
  for (const { target, events } of ours) {
    if (target !== null) byTarget.set(target, (byTarget.get(target) ?? 0) + events);
  }
  const unnamed = [...byTarget].filter(([target]) => !targets.all.includes(target));
  return {
    own: sumOf(ours),
    // Only what goes to named applications may be counted more than once.
    others: theirs.some(({ target }) => target !== null)
      ? await inbox.countWaitingEvents({ exceptSources: [...sources] })
      : sumOf(theirs),
    countsForwards: targets.isSeveral || byTarget.size > 0,
    unnamed: unnamed.map(([target, forwards]) => ({ target, forwards })),
  };
}

const sumOf = (waiting: readonly Waiting[]): number => waiting.reduce((sum, { events }) => sum + events, 0);

/** Says at the end what the next run goes on with. */
export function owedInWords({ own, countsForwards }: WaitingEvents): string {
  if (own === 0) return 'no event is waiting to be forwarded';
  const them = own === 1 ? 'it' : 'them';
  return countsForwards
    ? `${formatCount(own, 'forward')} not yet accepted by your applications; the next webhook listen makes ${them}`
    : `${formatCount(own, 'event')} stored and not yet accepted by your application; the next webhook listen forwards ${them}`;
}

/** Says at the beginning what earlier runs left, in notes for people. `isPart`: this run forwards only some events. */
export function leftFromEarlierRuns(
  { own, countsForwards, unnamed }: WaitingEvents,
  isPart: boolean,
): string[] {
  if (own === 0) return [];
  const now = isPart ? 'forwarding now, except what --events or --route leaves out' : 'forwarding now';
  const [owed, done] = countsForwards ? ['forward', 'made'] : ['event', 'forwarded'];
  return [
    `${formatCount(own, owed)} from earlier runs ${own === 1 ? 'is' : 'are'} still to be ${done}; ${now}.`,
    ...unnamed.map(
      ({ target, forwards }) =>
        `${forwards} of them ${forwards === 1 ? 'goes' : 'go'} to ${target}, which an earlier run named and this one does not. If that application is gone: ${pruneCommandFor(target)}`,
    ),
  ];
}
