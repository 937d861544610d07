/**
 * `--exit-after`: another listener of the same inbox may make the first attempt at an event that came here, because it
 * waited in the queue or this process was suspended. Nothing tells that here, so the inbox is asked.
 */
import type { Clock } from '../../../clock.ts';
import { isSuccessStatus } from '../../../forward/forward.ts';
import type { Inbox, InboxEvent } from '../../../inbox/inbox.ts';
import { stoppedUnanswered } from '../../../listener/posting/exchange.ts';
import type { Tally, UntriedEvent } from './tally.ts';

/** Milliseconds. */
const everyMs = 1_000;

/**
 * How many that nobody has tried a look meets before it ends. The run goes on until all are tried, so those that came
 * after them can wait.
 */
const mostUntried = 500;

/** After how many events a look lets deliveries be answered: a SQLite file is read on this thread. */
const atOnce = 20;

interface Asking {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly inbox: Pick<Inbox, 'find' | 'attempts'>;
  readonly tally: Pick<Tally, 'untried' | 'noteElsewhere'>;
  readonly onTrouble: (cause: unknown) => void;
  /**
   * Called when the last first attempt was found here. It may have been made by this process, which records it just
   * before reporting it: what is under way has yet to be reported.
   */
  readonly onReached: () => void;
}

/** Tells the tally once. Does nothing more after the signal has aborted, and never rejects. */
export type Look = () => Promise<void>;

export function createLook({ clock, inbox, tally, onTrouble, onReached }: Asking, signal: AbortSignal): Look {
  async function look(): Promise<void> {
    let [met, left] = [0, mostUntried];
    for (const event of tally.untried()) {
      if (met++ % atOnce === atOnce - 1) await clock.sleep(0, signal);
      if (signal.aborted || left <= 0) return;
      left -= await lookAt(event);
    }
  }
  /** Returns at how many places nobody has tried it. */
  async function lookAt({ key, targets }: UntriedEvent): Promise<number> {
    const event = (await inbox.find(key)).find((found) => found.key === key);
    let untried = 0;
    for (const target of targets) {
      const taken = await firstAttemptAt(placeOf(event, target), inbox);
      if (signal.aborted) return untried;
      if (taken === null) untried += 1;
      else if (tally.noteElsewhere(key, target, taken)) onReached();
    }
    return untried;
  }
  return () =>
    look().catch((cause: unknown) => {
      if (!signal.aborted) onTrouble(cause);
    });
}

/** Looks again and again, until the signal aborts. */
export async function watchOtherListeners(
  look: Look,
  { clock }: { readonly clock: Pick<Clock, 'sleep'> },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(everyMs, signal);
    await look();
  }
}

type Place = Pick<InboxEvent, 'key' | 'state' | 'attempts'>;

/** What is owed to one of several applications, or to the one of most events; undefined if it was let go. */
const placeOf = (event: InboxEvent | undefined, target: string | undefined): Place | undefined =>
  target === undefined ? event : event?.targets?.find((each) => each.target === target);

/**
 * Whether the application accepted the first attempt there; null if none has ended. A replay to another place is none,
 * and neither is one that was cut off: the application may have taken it. What waits no more without an attempt was let
 * go (`prune --target`), so it was not accepted.
 */
async function firstAttemptAt(
  place: Place | undefined,
  inbox: Pick<Inbox, 'attempts'>,
): Promise<boolean | null> {
  if (place === undefined) return false;
  const attempts = place.attempts === 0 ? [] : await inbox.attempts(place.key);
  const first = attempts.find(({ elsewhere, error }) => elsewhere !== true && error !== stoppedUnanswered);
  if (first !== undefined) return isSuccessStatus(first.status);
  return place.state === 'WAITING' ? null : place.state === 'DELIVERED';
}
