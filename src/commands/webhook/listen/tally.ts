/** `--exit-after`: counts the first n reported events until the first attempt of each has ended. */
import type { Report } from '../../../listener/report.ts';

export interface Tally {
  note(report: Report): void;
  /** How many of them the application has not accepted. */
  readonly notAccepted: number;
  /** How many of them have come. */
  readonly received: number;
  /** How many of these have been tried once. */
  readonly attempted: number;
}

export function createTally(exitAfter: number | null, onReached: () => void): Tally {
  /** Events kept in the queue because the application was busy. A later line reports their first attempt. */
  const queued = new Set<string>();
  let counted = 0;
  let ended = 0;
  let notTaken = 0;

  function end(taken: boolean): void {
    ended += 1;
    if (!taken) notTaken += 1;
    if (ended === exitAfter) onReached();
  }

  return {
    note(report) {
      if (exitAfter === null || report.type === 'rejected') return;
      const { key, forward, state, cutOff = false } = report;
      if (report.type === 'forward') {
        if (!cutOff && queued.delete(key)) end(state === 'DELIVERED');
      } else if (!report.duplicate && counted < exitAfter) {
        counted += 1;
        if (cutOff || (forward === null && state === 'WAITING')) queued.add(key);
        else end(forward === null || state === 'DELIVERED');
      }
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
