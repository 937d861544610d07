/**
 * What is known of an event that is forwarded, and of each attempt: the words that the inbox keeps and the
 * listener makes. Times in milliseconds since the epoch.
 */

/** Header names and values in the order and spelling in which they arrived. */
export type Headers = readonly (readonly [name: string, value: string])[];

/**
 * `NONE`: nothing was to be forwarded (no target, or `--ack app` with its answer pending). `WAITING`: owed
 * to the application. `DELIVERED`: answered with 2xx. `GIVEN_UP`: no attempt is planned; replay can.
 */
export type ForwardState = 'NONE' | 'WAITING' | 'DELIVERED' | 'GIVEN_UP';

/** What became of an event that was handed in to be kept. */
export interface Stored {
  /** The inbox's own key of the event, ordered by time of arrival. */
  readonly key: string;
  readonly duplicate: boolean;
  readonly state: ForwardState;
  /** Attempts made so far, for a duplicate. */
  readonly attempts: number;
  /** A duplicate by its id, though its body is another one, which is not kept. */
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
  /** Beginning of what the application said with another status than 2xx; null otherwise. */
  readonly answer: string | null;
  /** `original`: the headers as they came; `fresh`: signed again with a new `t`. */
  readonly signature: 'original' | 'fresh';
  /** A replay to another place than the one that the event is owed to, or to one of which that is not known. */
  readonly elsewhere?: true;
}

/** An attempt, and what becomes of its event. */
export interface Outcome extends Attempt {
  readonly key: string;
  readonly state: ForwardState;
  /** Planned time of the next attempt, for `WAITING`. */
  readonly nextAt: number | null;
  /** Attempts so far that count towards giving up: those that reached the application. */
  readonly failures: number;
}

/** A forward at somebody's request, which is no listener's. It is numbered as it is recorded. */
export interface ReplayAttempt extends Omit<Attempt, 'number'> {
  readonly key: string;
}

/** What was recorded of a replay: the number that its attempt got, and how its event stands since. */
export interface RecordedReplay {
  readonly number: number;
  readonly state: ForwardState;
}

/** Names of events: only these, or all but these. */
export type Names = { readonly only: readonly string[] } | { readonly except: readonly string[] };

/** Which owed events to claim: one with an address of its own is chosen by that, any other by its name. */
export interface ClaimChoice {
  readonly names: Names;
  /** Addresses to which nothing goes now. */
  readonly notTo: readonly string[];
}

/** Milliseconds; no listener plans the next attempt of an event farther away. */
export const longestPauseMs = 60_000;

/** Whether an answer of this status takes an event: only 2xx does (document: "Retry policy"). */
export const isTaken = (status: number | null | undefined): boolean =>
  (status ?? 0) >= 200 && (status ?? 0) < 300;

/** One that leads elsewhere: a 304 does not. */
export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);
