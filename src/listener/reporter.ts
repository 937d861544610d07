/**
 * Turns what happens into reports: one line per event, together with its first attempt, and a line for each later
 * attempt.
 */
import { isoTime } from '../clock.ts';
import type { Circumstances, EventReport, Forward, Report } from './report.ts';
import type { Outcome, Owed } from './store.ts';

export interface Reporter {
  stored(report: EventReport, forwarding: boolean): void;
  attempted(owed: Owed, outcome: Outcome, circumstances?: Circumstances): void;
  /** Takes an event that is not attempted now because its application is down. */
  held(owed: Owed): void;
  /** Reports the events whose first attempt did not end; they stay owed. */
  rest(): void;
}

export function createReporter(tell: (report: Report) => void): Reporter {
  /** Events of this run whose first attempt has not ended. */
  const untold = new Map<string, EventReport>();

  function tellEvent(key: string, forward: Forward | null, state: string, more: Circumstances = {}): boolean {
    const report = untold.get(key);
    if (report === undefined) return false;
    untold.delete(key);
    tell({ ...report, forward, state, ...more });
    return true;
  }

  return {
    stored(report, forwarding) {
      if (forwarding) untold.set(report.key, report);
      else tell(report);
    },
    attempted(owed, outcome, more = {}) {
      const forward = forwardOf(outcome);
      if (tellEvent(owed.key, forward, outcome.state, more)) return;
      tell({
        type: 'forward',
        id: owed.eventId,
        event: owed.event,
        attempt: outcome.number,
        forward,
        state: outcome.state,
        nextAt: outcome.nextAt === null ? null : isoTime(outcome.nextAt),
        ...more,
        key: owed.key,
      });
    },
    held(owed) {
      tellEvent(owed.key, { error: 'is not answering', ms: 0 }, 'WAITING');
    },
    rest() {
      for (const report of untold.values()) tell(report);
      untold.clear();
    },
  };
}

const forwardOf = ({ status, error, ms }: Outcome): Forward =>
  status === null ? { error: error ?? 'unknown', ms } : { status, ms };
