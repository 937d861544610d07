/**
 * Turns what happens into reports: one line per event, together with its first attempt, and a line for each later
 * attempt. Of an event for several applications, the first attempt that ends is in the line of the event, whichever
 * application it is.
 */
import { isoTime } from '../clock.ts';
import { type ShownState, shownState } from '../forward/forward.ts';
import { eventKeyOf } from '../forward/targets.ts';
import type { AttemptFlags, EventReport, ForwardReport, ForwardResult, Report } from './report.ts';
import type { ForwardOutcome, OwedEvent } from './store.ts';

interface Reporter {
  /** `pending`: what is attempted now. If there is any, the report waits for the first attempt that ends. */
  reportStored(report: EventReport, pending: readonly Pick<OwedEvent, 'key'>[]): void;
  reportAttempt(owed: OwedEvent, outcome: ForwardOutcome, circumstances?: AttemptFlags): void;
  /** Takes an event that is not attempted now because its application is down. */
  reportHeld(owed: OwedEvent): void;
  /** Takes an event that another process has taken over: what becomes of it is told there. */
  reportTakenOver(owed: OwedEvent): void;
  /**
   * Reports the events whose first attempt did not end, or could not be recorded. They stay owed, except that what
   * `--ack app` had asked the application is not asked again from here.
   */
  flush(): void;
}

/** An event of this run with an attempt under way that is its first at an application. */
interface Untried {
  /** Null once it was reported. */
  report: EventReport | null;
  /** Of several applications, those of which that is so; null for one. */
  readonly keys: Set<string> | null;
}

export function createReporter(emit: (report: Report) => void): Reporter {
  const untried = new Map<string, Untried>();

  /** Reports the event with this attempt, if it was not reported yet; returns whether it was so. */
  function emitFirst(owed: OwedEvent, result: Told): boolean {
    const key = eventKeyOf(owed.key);
    const event = untried.get(key);
    if (event === undefined) return false;
    event.keys?.delete(owed.key);
    if (event.keys === null || event.keys.size === 0) untried.delete(key);
    const { report } = event;
    event.report = null;
    if (report === null) return false;
    const { forward, state, more = {} } = result;
    emit({ ...report, forward, state, ...more, ...(event.keys === null ? {} : targetOf(owed)) });
    return true;
  }

  const emitAttempt = (
    owed: OwedEvent,
    { forward, state, more = {} }: Told,
    { attempt, nextAt }: Pick<ForwardReport, 'attempt' | 'nextAt'>,
  ) =>
    emit({
      ...{ type: 'forward', id: owed.eventId, event: owed.event, attempt, forward, state, nextAt, ...more },
      ...{ ...targetOf(owed), key: eventKeyOf(owed.key) },
    });

  return {
    reportStored(report, pending) {
      if (pending.length === 0) emit(report);
      else {
        const keys = report.targets === undefined ? null : new Set(pending.map(({ key }) => key));
        untried.set(report.key, { report, keys });
      }
    },
    reportAttempt(owed, outcome, more = {}) {
      const told = { forward: toForwardResult(outcome), state: shownState(outcome.state), more };
      if (emitFirst(owed, told)) return;
      const nextAt = outcome.nextAt === null ? null : isoTime(outcome.nextAt);
      emitAttempt(owed, told, { attempt: outcome.number, nextAt });
    },
    reportHeld(owed) {
      const told: Told = { forward: { error: 'is not answering', ms: 0 }, state: 'WAITING' };
      const isUntried = untried.get(eventKeyOf(owed.key))?.keys?.has(owed.key) === true;
      if (emitFirst(owed, told) || !isUntried) return;
      // It has no line yet. It is held again and again, and this is said once.
      emitAttempt(owed, told, { attempt: owed.attempts + 1, nextAt: null });
    },
    reportTakenOver(owed) {
      const told: Told = { forward: null, state: 'WAITING', more: { takenOver: true } };
      if (!emitFirst(owed, told)) emitAttempt(owed, told, { attempt: owed.attempts + 1, nextAt: null });
    },
    flush() {
      for (const { report } of untried.values())
        if (report !== null) emit(report.state === 'WAITING' ? report : { ...report, cutOff: true });
      untried.clear();
    },
  };
}

interface Told {
  readonly forward: ForwardResult | null;
  readonly state: ShownState;
  readonly more?: AttemptFlags;
}

const targetOf = ({ target }: OwedEvent) => (target === null ? {} : { target });

const toForwardResult = ({ status, error, ms }: ForwardOutcome): ForwardResult =>
  status === null ? { error: error ?? 'unknown', ms } : { status, ms };
