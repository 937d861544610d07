/**
 * Turns what happens into reports: one line per event, together with its first attempt, and a line for each later
 * attempt.
 */
import { isoTime } from '../clock.ts';
import type { AttemptFlags, EventReport, ForwardResult, Report } from './report.ts';
import type { ForwardOutcome, OwedEvent } from './store.ts';

export interface Reporter {
  reportStored(report: EventReport, forwarding: boolean): void;
  reportAttempt(owed: OwedEvent, outcome: ForwardOutcome, circumstances?: AttemptFlags): void;
  /** Takes an event that is not attempted now because its application is down. */
  reportHeld(owed: OwedEvent): void;
  /** Reports the events whose first attempt did not end; they stay owed. */
  flush(): void;
}

export function createReporter(emit: (report: Report) => void): Reporter {
  /** Events of this run whose first attempt has not ended. */
  const unreported = new Map<string, EventReport>();

  function emitEvent(
    key: string,
    forward: ForwardResult | null,
    state: string,
    more: AttemptFlags = {},
  ): boolean {
    const report = unreported.get(key);
    if (report === undefined) return false;
    unreported.delete(key);
    emit({ ...report, forward, state, ...more });
    return true;
  }

  return {
    reportStored(report, forwarding) {
      if (forwarding) unreported.set(report.key, report);
      else emit(report);
    },
    reportAttempt(owed, outcome, more = {}) {
      const forward = toForwardResult(outcome);
      if (emitEvent(owed.key, forward, outcome.state, more)) return;
      emit({
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
    reportHeld(owed) {
      emitEvent(owed.key, { error: 'is not answering', ms: 0 }, 'WAITING');
    },
    flush() {
      for (const report of unreported.values()) emit(report);
      unreported.clear();
    },
  };
}

const toForwardResult = ({ status, error, ms }: ForwardOutcome): ForwardResult =>
  status === null ? { error: error ?? 'unknown', ms } : { status, ms };
