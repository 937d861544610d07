/**
 * `--exit-after`: counts the first n reported events until the first attempt of each has ended, at every application
 * that it goes to. An event that was taken over before anything was sent from here does not count.
 */
import type { EventReport, ForwardReport, Report } from '../../../listener/report.ts';

export interface Tally {
  note(report: Report): void;
  /** How many of them the application has not accepted. */
  readonly notAccepted: number;
  /** How many of them have come. */
  readonly received: number;
  /** How many of these have been tried once. */
  readonly attempted: number;
}

/** An event whose first attempts have not all ended. */
interface Untried {
  /** Where they have not; null for the one place of most events. */
  readonly targets: Set<string> | null;
  /** Whether any attempt of this run has ended. */
  wasAsked: boolean;
  isTaken: boolean;
}

export function createTally(exitAfter: number | null, onReached: () => void): Tally {
  /** For example kept in the queue because the application was busy. Later lines report their first attempts. */
  const untried = new Map<string, Untried>();
  let counted = 0;
  let ended = 0;
  let notTaken = 0;

  function end(taken: boolean): void {
    ended += 1;
    if (!taken) notTaken += 1;
    if (ended === exitAfter) onReached();
  }

  function begin(report: EventReport): void {
    counted += 1;
    const { key, forward, state, cutOff = false, takenOver = false, targets } = report;
    if (forward === null && state !== 'WAITING' && !cutOff) {
      end(true);
      return;
    }
    const left = targets === undefined ? null : new Set(targets);
    untried.set(key, { targets: left, wasAsked: false, isTaken: true });
    if (forward !== null || takenOver) noteAttempt(report);
  }

  /** Notes what came of an attempt. One that was cut off has no end; a later one at the same place counts no more. */
  function noteAttempt({ key, state, target = '', cutOff, takenOver }: EventReport | ForwardReport): void {
    if (cutOff && !takenOver) return;
    const event = untried.get(key);
    if (event === undefined || event.targets?.delete(target) === false) return;
    if (!takenOver) {
      event.wasAsked = true;
      event.isTaken &&= state === 'DELIVERED';
    }
    if (event.targets !== null && event.targets.size > 0) return;
    untried.delete(key);
    if (event.wasAsked) end(event.isTaken);
    // Another event will count in its place.
    else counted -= 1;
  }

  return {
    note(report) {
      if (exitAfter === null || report.type === 'rejected') return;
      if (report.type === 'forward') noteAttempt(report);
      else if (!report.duplicate && counted < exitAfter) begin(report);
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
