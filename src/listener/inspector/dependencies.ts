/** What the inspector needs of the listener and of the store of its deliveries. */
import type { Clock } from '../../clock.ts';
import type { Attempt, TargetOutcome } from '../../forward/forward.ts';
import type { ReplayStore } from '../forwarding/replay.ts';
import type { Post } from '../posting/post.ts';
import type { Targets } from '../posting/targets.ts';
import type { ForwardState, Headers, OwedEvent } from '../store.ts';

/** One received event in a list. Times in milliseconds since the epoch. */
export interface InboxEntry {
  readonly key: string;
  readonly source: string;
  readonly eventId: string;
  readonly event: string;
  readonly receivedAt: number;
  readonly origin: string;
  readonly edits: string | null;
  readonly duplicates: number;
  readonly state: ForwardState;
  readonly attempts: number;
  readonly nextAt: number | null;
  readonly status: number | null;
  readonly error: string | null;
  /** If it goes to several applications: what became of it at each. */
  readonly targets?: readonly TargetOutcome[];
}

export interface ReceivedEvent extends InboxEntry, Omit<OwedEvent, keyof InboxEntry> {}

/** What the inspector needs of the store. The inbox has it. */
export interface InspectorStore extends ReplayStore {
  list(filter: { readonly last: number; readonly before?: string }): AsyncIterable<InboxEntry>;
  find(key: string): Promise<readonly ReceivedEvent[]>;
  attempts(key: string): Promise<readonly Attempt[]>;
  add(delivery: {
    readonly source: string;
    readonly eventId: string;
    readonly event: string;
    readonly body: Uint8Array;
    readonly headers: Headers;
    readonly origin: 'edited';
    readonly edits: string;
    readonly target: string;
    readonly forward: 'claim';
  }): Promise<{ readonly key: string }>;
}

export interface InspectorDependencies {
  readonly store: InspectorStore;
  readonly clock: Clock;
  /** Signing secrets in use. */
  readonly secrets: () => readonly string[];
  readonly targets: Targets;
  readonly post: Post;
  readonly signatureHeader: string;
  /** `app`: the service was answered with the application's own answer. */
  readonly ack: 'store' | 'app';
  readonly timeoutMs: number;
  /** Ends replays under way. */
  readonly signal: AbortSignal;
}
