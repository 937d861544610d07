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

/** The same as everybody reads it: `NONE` is only what the tables hold. */
export type ShownState = Exclude<ForwardState, 'NONE'> | 'NOT_FORWARDED';

export const shownState = (state: ForwardState): ShownState => (state === 'NONE' ? 'NOT_FORWARDED' : state);

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

/** Where an event came from: the service, `--poll` (made here), or an edited copy of another. */
export type Origin = 'delivery' | 'poll' | 'edited';

export interface NewDelivery {
  /** Whose event ids these are: the fingerprint of the secret that signed (see listener/event-facts.ts). */
  readonly source: string;
  /** The top-level `id` of the body; `sha256:<hex of the body>` for a signed body without one. */
  readonly eventId: string;
  /** Event name; empty if the body has none. */
  readonly event: string;
  readonly body: Uint8Array;
  readonly headers: Headers;
  readonly origin: Origin;
  /** What was changed, if `edited`: `data.amount=1`. */
  readonly edits?: string;
  /**
   * `claim`: this process forwards it now. `leave`: the process that claims it next forwards it. `none`: it is not
   * forwarded.
   */
  readonly forward: 'claim' | 'leave' | 'none';
  /** The only URL to forward it to; null: wherever the listener of this source forwards. */
  readonly target?: string | null;
  /** Further URLs, at most `maxTargets` with `target`, which is the first. Each is owed the event by itself. */
  readonly further?: readonly Required<Pick<NewDelivery, 'forward'> & { readonly target: string }>[];
}

/**
 * One event without its body, as lists show it. Times in milliseconds since the epoch. Of one with `targets`,
 * `attempts` are those of all; `failures`, `status`, `error` and `nextAt` are those of the target that decides the
 * state.
 */
export interface InboxEntry {
  readonly key: string;
  readonly source: string;
  readonly eventId: string;
  readonly event: string;
  readonly receivedAt: number;
  readonly origin: Origin;
  readonly edits: string | null;
  /** How often it arrived again after the first time. */
  readonly duplicates: number;
  readonly state: ForwardState;
  readonly target: string | null;
  readonly attempts: number;
  /** Attempts that count towards giving up: those that reached the application. */
  readonly failures: number;
  /** When the next attempt is planned, for `WAITING`. */
  readonly nextAt: number | null;
  /** The status of the last attempt. */
  readonly status: number | null;
  readonly error: string | null;
  /** If it goes to several applications: what became of it at each, in the order in which they were named. */
  readonly targets?: readonly TargetOutcome[];
}

/** A whole event. */
export interface InboxEvent extends InboxEntry {
  readonly body: Uint8Array;
  readonly headers: Headers;
}

/** What `--poll` last saw of a charge or withdrawal. */
export interface PollMark {
  readonly status: string;
  /** When the resource was created, as the service wrote it. */
  readonly createdAt: string | null;
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
