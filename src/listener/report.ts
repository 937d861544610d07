/** What the listener tells: each is one line, for people or as ndjson. Times in milliseconds. */

/** The application's answer to one attempt: `status`, or `error` in words. */
export type Forward =
  | { readonly status: number; readonly ms: number }
  | { readonly error: string; readonly ms: number };

/** Of an attempt, where it applies. */
export interface Circumstances {
  /** With `--ack app`: the service was answered with this very answer, or with 502 where there was none. */
  readonly relayed?: true;
  /** The listener ended before the application answered, which may have taken the event all the same. */
  readonly cutOff?: true;
}

export interface EventReport extends Circumstances {
  readonly type: 'event';
  readonly id: string;
  readonly event: string;
  readonly verified: true;
  readonly duplicate: boolean;
  /** The first attempt; null when nothing is forwarded, and for duplicates. */
  readonly forward: Forward | null;
  /** `WAITING` while more attempts are planned. */
  readonly state: string;
  /** Cents, where `data.amount` is. */
  readonly amount: number | null;
  readonly status: string | null;
  /** `poll` where the event was made here. */
  readonly synthetic?: 'poll';
  readonly odd?: string;
  /** One that came again, and that the application has not taken, with `--ack app`: it is asked once more, now. */
  readonly asked?: true;
  readonly key: string;
}

/** A later attempt, or the first one of an event that an earlier run received. */
export interface ForwardReport extends Circumstances {
  readonly type: 'forward';
  readonly id: string;
  readonly event: string;
  readonly attempt: number;
  readonly forward: Forward;
  readonly state: string;
  readonly nextAt: string | null;
  readonly key: string;
}

/** Refused: neither stored as an event nor forwarded. What the body claims to be is not repeated. */
export interface RejectedReport {
  readonly type: 'rejected';
  readonly id: null;
  readonly event: null;
  readonly verified: false;
  readonly duplicate: false;
  readonly forward: null;
  readonly reason: string;
  readonly message: string;
  /** What it was answered with. */
  readonly answered: number;
}

export type Report = EventReport | ForwardReport | RejectedReport;
