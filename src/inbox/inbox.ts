/**
 * The durable record of received deliveries and their forwards (docs/webhooks.md). An event is one row, even if it
 * arrives twice; its forwarding is a state of that row; every attempt to forward it is stored. An event for several
 * applications has a row for each.
 */
import type {
  Attempt,
  ClaimFilter,
  ForwardOutcome,
  ForwardState,
  InboxEntry,
  InboxEvent,
  NewDelivery,
  PollMark,
  RecordedReplay,
  ReplayAttempt,
  StoreResult,
} from '../forward/forward.ts';

export type * from '../forward/forward.ts';

export interface InboxFilter {
  readonly event?: string;
  /** Top-level id, or this inbox's key. */
  readonly id?: string;
  readonly state?: ForwardState;
  /** A text that the body contains, exactly as written. */
  readonly contains?: string;
  /** Received at or after `since`, and at or before `until`, in milliseconds since the epoch. */
  readonly since?: number;
  readonly until?: number;
  /** Only what arrived before the event with this key: the next page of a list. */
  readonly before?: string;
  /** Only the newest n. */
  readonly last?: number;
}

export interface Inbox {
  /** Where the data is stored, without credentials. */
  readonly location: string;
  /**
   * Stores a delivery; resolves once it is durable. Several calls in one turn of the event loop share one commit. A
   * duplicate (same source and event id) is counted, not stored; if it is to be forwarded and was never accepted, it
   * becomes due again. Rejects with `storageError` (74). Calls `onWritten` earlier: once the delivery survives the end
   * of this process and others see it, but before it survives a power cut.
   */
  add(delivery: NewDelivery, onWritten?: (stored: StoreResult) => void): Promise<StoreResult>;
  /**
   * Claims due events of a source for this process, oldest first, with their bodies. Leaves out what another live
   * process has claimed; a claim ends when its outcome is recorded. Without a choice, claims any due event.
   */
  claimDue(source: string, limit: number, choice?: ClaimFilter): Promise<InboxEvent[]>;
  /**
   * Whether a claim from `claimDue` or `add` is still this process's: others take over what a process that was silent
   * for too long (suspended, say) has claimed. If not, the claim is given up here. Asks the database only after such a
   * silence.
   */
  stillHolds(key: string): Promise<boolean>;
  /** Claims one event for this process; false if it was accepted already, or if another live process has claimed it. */
  claimOne(event: Pick<InboxEntry, 'key'>): Promise<boolean>;
  /** Gives that claim back; the event is due when it was due before. */
  releaseClaim(key: string): Promise<void>;
  /**
   * Records an attempt of a replay, without changing when the event is due or who has claimed it. Calls `becomes` for
   * the new state within the transaction, with the state at that moment, perhaps more than once.
   */
  recordReplay(
    attempt: ReplayAttempt,
    becomes: (state: ForwardState) => ForwardState,
  ): Promise<RecordedReplay>;
  /**
   * Records an attempt and what became of the event. An event accepted meanwhile stays accepted; if another attempt has
   * taken the same number meanwhile, this one gets the next. Shares commits as `add` does; a power cut may undo it.
   */
  record(outcome: ForwardOutcome): Promise<void>;
  /** Gives one claim back without an attempt; the event is due again at `nextAt`. Shares commits as `add` does. */
  postpone(key: string, nextAt: number): Promise<void>;
  /** Gives all claims back, so that another process can go on at once. */
  releaseAllClaims(): Promise<void>;
  /** Newest first, read in portions. */
  list(filter?: InboxFilter): AsyncIterable<InboxEntry>;
  /**
   * The events with this id or key, newest first. The key of a target finds what is owed there alone, without the rest
   * of the event.
   */
  find(idOrKey: string): Promise<InboxEvent[]>;
  attempts(key: string): Promise<Attempt[]>;
  /** What is owed to applications, all as of one moment. */
  countWaiting(): Promise<readonly Waiting[]>;
  /** How many events of other sources wait: one for several applications counts once. */
  countWaitingEvents(choice: { readonly exceptSources: readonly string[] }): Promise<number>;
  /** How many events `prune` would remove; too few once `signal` has aborted. */
  countPrunable(choice: PruneChoice, signal?: AbortSignal): Promise<number>;
  /** Removes settled events with their attempts, in small transactions, until `signal` aborts; says how many. */
  prune(choice: PruneChoice, signal?: AbortSignal): Promise<number>;
  /** Says to which addresses this process forwards, until its claims are given back. */
  announceTargets(targets: readonly string[]): Promise<void>;
  /** Whether another running process forwards to this address. */
  isForwardedTo(target: string): Promise<boolean>;
  /** How many events `forgetTarget` would take from that application; too few once `signal` has aborted. */
  countForTarget(choice: TargetChoice, signal?: AbortSignal): Promise<number>;
  /** Takes from one application all that it has not accepted, until `signal` aborts; what is owed to others stays. */
  forgetTarget(choice: TargetChoice, signal?: AbortSignal): Promise<Forgotten>;
  /** The last status that `--poll` saw, by resource id. */
  readPollMarks(scope: string): Promise<Map<string, PollMark>>;
  /** `forgotten`: ids whose marks are removed first, in the same transaction. */
  writePollMarks(
    scope: string,
    marks: ReadonlyMap<string, PollMark>,
    forgotten?: readonly string[],
  ): Promise<void>;
  close(): Promise<void>;
}

/** Which settled events to forget; what is owed (`WAITING`) cannot be chosen. */
export interface PruneChoice {
  readonly state: Exclude<ForwardState, 'WAITING'>;
  /** Received before this, in milliseconds since the epoch. */
  readonly before: number;
}

/** Events of one source that wait for one application. */
export interface Waiting {
  readonly source: string;
  /** Null: wherever a listener of that source forwards. */
  readonly target: string | null;
  readonly events: number;
  /** When the oldest was received, in milliseconds since the epoch. */
  readonly since: number;
}

/** What one application has not accepted. */
export interface TargetChoice {
  readonly target: string;
  /** Received before this, in milliseconds since the epoch. */
  readonly before: number;
}

/** `held`: left, because a running process is forwarding them just now. */
export interface Forgotten {
  readonly forgotten: number;
  readonly held: number;
}
