/** What was removed from the inbox. */
import type { View } from '../../../terminal/view.ts';

interface Pruned {
  readonly removed: number;
  /** The forwarding state of the events; null for what was taken from one application. */
  readonly status: string | null;
  /** Null where the state chose them. */
  readonly target: string | null;
  readonly before: string | null;
  readonly inbox: string;
}

export const prunedView: View<Pruned> = {
  name: 'pruned',
  columns: [
    { key: 'removed', header: 'Removed' },
    { key: 'status', header: 'Forwarding' },
    { key: 'target', header: 'Target' },
    { key: 'before', header: 'Received before', kind: 'time' },
    { key: 'inbox', header: 'Inbox' },
  ],
};
