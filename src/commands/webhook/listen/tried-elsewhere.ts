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
    for (const key of tally.untried().slice(0, mostAtOnce)) {
      const found = await inbox.find(key).catch(onTrouble);
      for (const place of found?.flatMap(placesOf) ?? []) {
        if (place.state === 'WAITING' && place.attempts === 0) continue;
        const name = `${key} ${place.target ?? ''}`;
        if (before.has(name)) tally.noteElsewhere(key, place.target, place.state);
        else now.add(name);
      }
    }
    before = now;
  }
}

/** One for each application; the one of most events has no name. */
const placesOf = ({ targets, state, attempts }: InboxEvent): readonly Place[] =>
  targets ?? [{ target: undefined, state, attempts }];

interface Place {
  readonly target: string | undefined;
  readonly state: ForwardState;
  readonly attempts: number;
}
