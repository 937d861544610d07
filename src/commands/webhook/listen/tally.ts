/**
 * `--exit-after`: counts the first n reported events until the first attempt of each has ended, at every application
 * that it goes to, whichever listener of the inbox made it.
 */
import type { ForwardState } from '../../../inbox/inbox.ts';
import type { EventReport, Report } from '../../../listener/report.ts';

export interface Tally {
  note(report: Report): void;
  /** Takes what another listener has tried, or nobody will try any more. `target`: of several applications, which. */
  noteElsewhere(key: string, target: string | undefined, state: ForwardState): void;
  /** The keys of those whose first attempts have not all ended, oldest first. */
  untried(): readonly string[];
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

  /** Counts an event; `false` if it does not go to an application. */
  function begin({ key, forward, state, cutOff, targets }: EventReport): boolean {
    counted += 1;
    if (forward === null && state !== 'WAITING' && !cutOff) {
      end(true);
      return false;
    }
    untried.set(key, { targets: targets === undefined ? null : new Set(targets), isTaken: true });
    return true;
  }

  /** Notes the end of an attempt; a later attempt at the same place counts no more. */
  function noteAttempt(key: string, target = '', taken: boolean): void {
    const event = untried.get(key);
    if (event === undefined || event.targets?.delete(target) === false) return;
    event.isTaken &&= taken;
    if (event.targets !== null && event.targets.size > 0) return;
    untried.delete(key);
    end(event.isTaken);
  }

  return {
    note(report) {
      if (exitAfter === null || report.type === 'rejected') return;
      if (report.type === 'event' && (report.duplicate || counted === exitAfter || !begin(report))) return;
      const { key, forward, state, target, cutOff = false, takenOver = false } = report;
      if (forward !== null && !cutOff && !takenOver) noteAttempt(key, target, state === 'DELIVERED');
    },
    noteElsewhere: (key, target, state) => noteAttempt(key, target, state === 'DELIVERED'),
    untried: () => [...untried.keys()],
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
