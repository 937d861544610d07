/** What the listener reports: one line each, for people or as ndjson. Times in milliseconds. */
import type { ShownState } from '../forward/forward.ts';

/** The application's answer to one attempt: `status`, or `error` in words. */
export type ForwardResult =
  | { readonly status: number; readonly ms: number }
  | { readonly error: string; readonly ms: number };

/** Details of an attempt, where they apply. */
export interface AttemptFlags {
  /** With `--ack app`: the service got this very answer, or 502 if there was none. */
  readonly relayed?: true;
  /**
   * The listener ended before the application answered, or before it could record the answer: the application may have
   * taken the event.
   */
  readonly cutOff?: true;
  /**
   * The listener was silent for so long that another process has taken the event over. Nothing was sent from here:
   * `forward` is null.
   */
  readonly takenOver?: true;
}

export interface EventReport extends AttemptFlags {
  readonly type: 'event';
  readonly id: string;
  readonly event: string;
  readonly verified: true;
  readonly duplicate: boolean;
  /** The first attempt; null if nothing is forwarded, and for duplicates. */
  readonly forward: ForwardResult | null;
  /** `WAITING` while more attempts are planned. With `target`: of what is owed there. */
  readonly state: ShownState;
  /** Cents, if `data.amount` is. */
  readonly amount: number | null;
  readonly status: string | null;
  /** `poll` if the event was made here. */
  readonly synthetic?: 'poll';
  readonly odd?: string;
  /** With `--ack app`: a repeated event that the application has not taken, which is offered to it once more, now. */
  readonly asked?: true;
  /** Of an event that goes to several applications: all of them; `target` is the one whose attempt this is. */
  readonly targets?: readonly string[];
  readonly target?: string;
  readonly key: string;
}

/**
 * A later attempt, or the first one for an event that an earlier run received, or the first one at another of several
 * applications.
 */
export interface ForwardReport extends AttemptFlags {
  readonly type: 'forward';
  readonly id: string;
  readonly event: string;
  readonly attempt: number;
  /** Null only if it is `takenOver`. */
  readonly forward: ForwardResult | null;
  readonly state: ShownState;
  readonly nextAt: string | null;
  /** Of an event with an address of its own, as each of several applications has one. */
  readonly target?: string;
  readonly key: string;
}

/** A refused delivery, neither stored nor forwarded. What its body claims to be is not repeated. */
export interface RejectedReport {
  readonly type: 'rejected';
  readonly id: null;
  readonly event: null;
  /** True for a genuine one that could not be stored. */
  readonly verified: boolean;
  readonly duplicate: false;
  readonly forward: null;
  readonly reason: string;
  readonly message: string;
  /** The status of the answer. */
  readonly answered: number;
}

export type Report = EventReport | ForwardReport | RejectedReport;
