/** What the inspector needs of the listener and of the store of its deliveries. */
import type { Clock } from '../../clock.ts';
import type { ReplayStore } from '../forwarding/replay.ts';
import type { Post } from '../posting/post.ts';
import type { Targets } from '../posting/targets.ts';
import type { Attempt, InboxEntry, InboxEvent, NewDelivery } from '../store.ts';

/** What the inspector needs of the store. The inbox has it. */
export interface InspectorStore extends ReplayStore {
  list(filter: { readonly last: number; readonly before?: string }): AsyncIterable<InboxEntry>;
  find(key: string): Promise<readonly InboxEvent[]>;
  attempts(key: string): Promise<readonly Attempt[]>;
  add(delivery: NewDelivery): Promise<{ readonly key: string }>;
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
