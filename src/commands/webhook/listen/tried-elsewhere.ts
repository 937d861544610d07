/**
 * `--exit-after`: another listener of the same inbox may make the first attempt at an event that came here, because it
 * waited in the queue or this process was suspended. Nothing tells that here, so the inbox is asked.
 */
import type { Clock } from '../../../clock.ts';
import type { ForwardState, Inbox, InboxEvent } from '../../../inbox/inbox.ts';
import type { Tally } from './tally.ts';

/** Milliseconds. */
const everyMs = 1_000;

/** How many events are looked up at a time. The run goes on until all are tried, so the oldest are enough. */
const mostAtOnce = 10;

interface Asking {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly inbox: Pick<Inbox, 'find'>;
  readonly tally: Pick<Tally, 'untried' | 'noteElsewhere'>;
  readonly onTrouble: (cause: unknown) => void;
}

/**
 * Tells the tally, until the signal aborts. What waits nowhere any more without an attempt was let go (`prune
 * --target`), and counts as not accepted.
 */
export async function watchOtherListeners(
  { clock, inbox, tally, onTrouble }: Asking,
  signal: AbortSignal,
): Promise<void> {
  /** What was so at the last look as well: an attempt from here is recorded just before it is reported. */
  let before = new Set<string>();
  while (!signal.aborted) {
    await clock.sleep(everyMs, signal);
    if (signal.aborted) return;
    const now = new Set<string>();
    for (const { key, target, state } of await triedPlaces(inbox, tally.untried(), onTrouble)) {
      const name = `${key} ${target ?? ''}`;
      if (before.has(name)) tally.noteElsewhere(key, target, state);
      else now.add(name);
    }
    before = now;
  }
}

/** Where the inbox knows of an attempt, or that there will be none. */
async function triedPlaces(
  inbox: Asking['inbox'],
  keys: readonly string[],
  onTrouble: Asking['onTrouble'],
): Promise<readonly (Place & { readonly key: string })[]> {
  const tried = [];
  for (const key of keys.slice(0, mostAtOnce)) {
    const found = await inbox.find(key).catch(onTrouble);
    const places = found?.flatMap(placesOf) ?? [];
    tried.push(...places.filter(wasTried).map((place) => ({ ...place, key })));
  }
  return tried;
}

const wasTried = ({ state, attempts }: Place): boolean => state !== 'WAITING' || attempts > 0;

/** One for each application; the one of most events has no name. */
const placesOf = ({ targets, state, attempts }: InboxEvent): readonly Place[] =>
  targets ?? [{ target: undefined, state, attempts }];

interface Place {
  readonly target: string | undefined;
  readonly state: ForwardState;
  readonly attempts: number;
}
