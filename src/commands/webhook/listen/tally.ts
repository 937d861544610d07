/**
 * `--exit-after`: counts the first n reported events until the first attempt of each has ended, at every application
 * that it goes to, whichever listener of the inbox made it.
 */
import type { EventReport, Report } from '../../../listener/report.ts';

export interface Tally {
  note(report: Report): void;
  /** Takes what another listener has tried, or nobody will try any more; returns whether that was the last of all. */
  noteElsewhere(key: string, target: string | undefined, taken: boolean): boolean;
  /** What another listener may try: where first attempts have not ended yet, oldest event first. */
  untried(): Iterable<UntriedEvent>;
  /** How many of them the application has not accepted. */
  readonly notAccepted: number;
  /** How many of them have come. */
  readonly received: number;
  /** How many of these have been tried once. */
  readonly attempted: number;
}

export interface UntriedEvent {
  readonly key: string;
  /** Of several applications, which; undefined for the one place of most events. */
  readonly targets: Iterable<string | undefined>;
}

/** An event whose first attempts have not all ended. */
interface Untried extends UntriedEvent {
  /** Where they have not. */
  readonly targets: Set<string | undefined>;
  /** With `--ack app`, all of its first attempts are made here. */
  readonly isRelayed: boolean;
  isTaken: boolean;
}

export function createTally(exitAfter: number | null, onReached: () => void): Tally {
  /** For example kept in the queue because the application was busy. Later lines report their first attempts. */
  const untried = new Map<string, Untried>();
  let counted = 0;
  let ended = 0;
  let notTaken = 0;

  /** Returns whether it was the last. */
  function end(taken: boolean): boolean {
    ended += 1;
    if (!taken) notTaken += 1;
    return ended === exitAfter;
  }

  /** Counts an event; returns whether it was the last, as it is if it does not go to an application. */
  function begin({ key, forward, state, cutOff, relayed, targets }: EventReport): boolean {
    counted += 1;
    if (forward === null && state !== 'WAITING' && !cutOff) return end(true);
    const places = new Set<string | undefined>(targets ?? [undefined]);
    untried.set(key, { key, targets: places, isRelayed: relayed === true, isTaken: true });
    return false;
  }

  /** Notes the end of an attempt; a later attempt at the same place counts no more. Returns whether it was the last. */
  function noteAttempt(key: string, target: string | undefined, taken: boolean): boolean {
    const event = untried.get(key);
    if (event === undefined || !event.targets.delete(target)) return false;
    event.isTaken &&= taken;
    if (event.targets.size > 0) return false;
    untried.delete(key);
    return end(event.isTaken);
  }

  return {
    note(report) {
      if (exitAfter === null || report.type === 'rejected') return;
      if (report.type === 'event') {
        if (report.duplicate || counted === exitAfter) return;
        if (begin(report)) return onReached();
      }
      const { key, forward, state, target, cutOff = false, takenOver = false } = report;
      if (forward === null || cutOff || takenOver) return;
      if (noteAttempt(key, target, state === 'DELIVERED')) onReached();
    },
    noteElsewhere: noteAttempt,
    *untried() {
      for (const event of untried.values()) if (!event.isRelayed) yield event;
    },
    get received() {
      return counted;
    },
    get attempted() {
      return ended;
    },
    get notAccepted() {
      return notTaken;
    },
  };
}
