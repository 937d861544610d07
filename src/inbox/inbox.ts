/**
 * The durable record of received deliveries and their forwards (docs/webhooks.md). An event is one row,
 * even if it arrives twice; its forwarding is a state of that row; every attempt to forward is stored.
 */
import type {
  Attempt,
  ClaimChoice,
  ForwardState,
  Headers,
  Outcome,
  RecordedReplay,
  ReplayAttempt,
  Stored,
} from '../forward/forward.ts';

export type { Attempt, ClaimChoice, ForwardState, Headers, Outcome, RecordedReplay, ReplayAttempt, Stored };

/** Where an event came from: the service, `--poll` (made here), or an edited copy of another. */
export type Origin = 'delivery' | 'poll' | 'edited';

export interface NewDelivery {
  /** Whose event ids these are: the fingerprint of the secret that signed (see listener/event-facts.ts). */
  readonly source: string;
  /** Top-level `id` of the body; `sha256:<hex of the body>` where a signed body has none. */
  readonly eventId: string;
  /** Event name; empty if the body has none. */
  readonly event: string;
  readonly body: Uint8Array;
  readonly headers: Headers;
  readonly origin: Origin;
  /** What was changed, for `edited`: `data.amount=1`. */
  readonly edits?: string;
  /**
   * `claim`: it must be forwarded, and this process does so now. `leave`: it must be forwarded, by the process that
   * claims it next. `none`: it is not forwarded.
   */
  readonly forward: 'claim' | 'leave' | 'none';
  /** Forwarded only to this URL; null: to where the listener of this source forwards. */
  readonly target?: string | null;
}

/** One row, without its body: what lists show. Times in milliseconds since the epoch. */
export interface InboxEntry {
  readonly key: string;
  readonly source: string;
  readonly eventId: string;
  readonly event: string;
  readonly receivedAt: number;
  readonly origin: Origin;
  readonly edits: string | null;
  /** How often it arrived again. */
  readonly duplicates: number;
  readonly state: ForwardState;
  readonly target: string | null;
  readonly attempts: number;
  /** Attempts that count towards giving up: those that reached the application. */
  readonly failures: number;
  /** When the next attempt is planned, for `WAITING`. */
  readonly nextAt: number | null;
  /** Of the last attempt. */
  readonly status: number | null;
  readonly error: string | null;
}

/** One row whole. */
export interface InboxEvent extends InboxEntry {
  readonly body: Uint8Array;
  readonly headers: Headers;
}

export interface InboxFilter {
  readonly event?: string;
  /** Top-level id, or this inbox's key. */
  readonly id?: string;
  readonly state?: ForwardState;
  /** A text that the body contains, exactly as it is written there. */
  readonly contains?: string;
  /** Received at or after, and at or before: milliseconds since the epoch. */
  readonly since?: number;
  readonly until?: number;
  /** Only what arrived before the event with this key: the next page of a list. */
  readonly before?: string;
  /** The newest n only. */
  readonly last?: number;
}

export interface Inbox {
  /** Where the data is stored, without credentials. */
  readonly location: string;
  /**
   * Stores a delivery; resolves once it is durable. Several calls in one turn of the event loop share one
   * commit. A duplicate (same source and event id) is counted and not stored; one that is to be forwarded
   * and was never accepted is due again. Rejects with `storageError` (74).
   * `onWritten` is called earlier: once it survives the end of this process and others see it, but not yet a power cut.
   */
  add(delivery: NewDelivery, onWritten?: (stored: Stored) => void): Promise<Stored>;
  /**
   * Claims due events of a source for this process, oldest first, with their bodies. What another live
   * process has claimed is left out; a claim ends when its outcome is recorded. Without a choice, every due event.
   */
  claimDue(source: string, limit: number, choice?: ClaimChoice): Promise<InboxEvent[]>;
  /** Claims one event for this process; false if it was accepted already, or another live process has claimed it. */
  claimOne(event: Pick<InboxEntry, 'key'>): Promise<boolean>;
  /** Gives that claim back; the event is due when it was before. */
  giveBack(key: string): Promise<void>;
  /**
   * Records an attempt of a replay; when the event is due, and who has claimed it, stays as it was. The new state
   * is asked for in the transaction, with the state at that moment, perhaps more than once.
   */
  recordReplay(
    attempt: ReplayAttempt,
    becomes: (state: ForwardState) => ForwardState,
  ): Promise<RecordedReplay>;
  /**
   * Records an attempt and what became of the event. An event that was accepted meanwhile stays so; if another attempt
   * has got the same number meanwhile, this one gets the next. Shares commits as `add` does; a power cut may undo it.
   */
  record(outcome: Outcome): Promise<void>;
  /** Gives one claim back, due again at `nextAt`: no attempt was made. Shares commits as `add` does. */
  postpone(key: string, nextAt: number): Promise<void>;
  /** Gives all claims back, so that another process may go on at once. */
  release(): Promise<void>;
  /** Newest first, read in portions. */
  list(filter?: InboxFilter): AsyncIterable<InboxEntry>;
  /** The events with this id or key, newest first. */
  find(idOrKey: string): Promise<InboxEvent[]>;
  attempts(key: string): Promise<Attempt[]>;
  /** How many events are owed to an application, by source, all at one moment; none where a source has none. */
  countWaiting(): Promise<ReadonlyMap<string, number>>;
  /** How many events `prune` would remove. */
  countPrunable(choice: PruneChoice): Promise<number>;
  /** Removes settled events with their attempts, in small transactions; answers how many. */
  prune(choice: PruneChoice): Promise<number>;
  /** What `--poll` saw last, by resource id: its status. */
  pollSeen(scope: string): Promise<Map<string, PollMark>>;
  /** `forgotten`: ids whose marks are removed first, in the same transaction. */
  pollRemember(
    scope: string,
    marks: ReadonlyMap<string, PollMark>,
    forgotten?: readonly string[],
  ): Promise<void>;
  close(): Promise<void>;
}

/** Which settled events to forget; what is owed (`WAITING`) cannot be named. */
export interface PruneChoice {
  readonly state: Exclude<ForwardState, 'WAITING'>;
  /** Received before then, milliseconds since the epoch. */
  readonly before: number;
}

export interface PollMark {
  readonly status: string;
  /** When the resource was created, as the service wrote it. */
  readonly createdAt: string | null;
}
