/**
 * What is known of a forwarded event and of each attempt: the words in which the listener reports and the inbox stores.
 * Times are in milliseconds since the epoch.
 */

/** Header names and values in the order and spelling in which they arrived. */
export type Headers = readonly (readonly [name: string, value: string])[];

/**
 * `NONE`: there was nothing to forward (no target, or `--ack app` with its answer pending). `WAITING`: owed to the
 * application. `DELIVERED`: answered with 2xx. `GIVEN_UP`: no attempt is planned; a replay still can.
 */
export type ForwardState = 'NONE' | 'WAITING' | 'DELIVERED' | 'GIVEN_UP';

/** What is owed to one of several applications. */
export interface TargetState {
  readonly key: string;
  readonly target: string;
  readonly state: ForwardState;
  readonly attempts: number;
}

/** What became of it there: the last answer, and when the next attempt is planned (milliseconds since the epoch). */
export interface TargetOutcome extends TargetState {
  readonly failures: number;
  readonly nextAt: number | null;
  readonly status: number | null;
  readonly error: string | null;
}

/** What became of an event that was handed over for keeping. */
export interface StoreResult {
  /** The inbox's own key of the event, ordered by time of arrival. */
  readonly key: string;
  readonly duplicate: boolean;
  readonly state: ForwardState;
  /** Attempts made so far, for a duplicate. */
  readonly attempts: number;
  /** Of an event that goes to several applications: what is owed to each. `state` is then that of the whole. */
  readonly targets?: readonly TargetState[];
  /** Set for a duplicate whose id is known but whose body differs; that body is not kept. */
  readonly changed?: true;
}

export interface Attempt {
  readonly number: number;
  readonly url: string;
  readonly startedAt: number;
  readonly ms: number;
  /** HTTP status of the application's answer; null when there was none. */
  readonly status: number | null;
  readonly error: string | null;
  /** The beginning of an answer whose status is not 2xx; null otherwise. */
  readonly answer: string | null;
  /** `original`: the headers as they came; `fresh`: signed again with a new `t`. */
  readonly signature: 'original' | 'fresh';
  /** Set for a replay to another place than the event is owed to, or when it is not known where it is owed. */
  readonly elsewhere?: true;
}

/** An attempt, and how it leaves its event. */
export interface ForwardOutcome extends Attempt {
  readonly key: string;
  readonly state: ForwardState;
  /** Planned time of the next attempt, for `WAITING`. */
  readonly nextAt: number | null;
  /** Attempts so far that count towards giving up: those that reached the application. */
  readonly failures: number;
}

/** A forward that somebody asked for, made by no listener. It gets its number when it is recorded. */
export interface ReplayAttempt extends Omit<Attempt, 'number'> {
  readonly key: string;
}

/** What was recorded of a replay: the number of its attempt, and the state of its event afterwards. */
export interface RecordedReplay {
  readonly number: number;
  readonly state: ForwardState;
}

/** Names of events: only these, or all but these. */
export type EventNameFilter = { readonly only: readonly string[] } | { readonly except: readonly string[] };

/** Which owed events to claim: one with its own address is selected by that address, any other by its name. */
export interface ClaimFilter {
  readonly names: EventNameFilter;
  /** Addresses to which nothing may go at the moment. */
  readonly excludedTargets: readonly string[];
}

/** In milliseconds; no listener plans an event's next attempt further ahead. */
export const maxRetryDelayMs = 60_000;

/** Whether an answer of this status accepts an event: only 2xx does (document: "Retry policy"). */
export const isSuccessStatus = (status: number | null | undefined): boolean =>
  (status ?? 0) >= 200 && (status ?? 0) < 300;

/** Whether it leads elsewhere: a 304 does not. */
export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/** Whether a receiver may answer so because the signature does not match its secret. */
export const mayRefuseSignature = (status: number): boolean => [400, 401, 403].includes(status);
