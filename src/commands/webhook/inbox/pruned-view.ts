/** What was removed from the inbox. */
import type { View } from '../../../terminal/view.ts';

export interface Pruned {
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
    { key: 'removed', header: 'Removed', value: ({ removed }) => removed },
    { key: 'status', header: 'Forwarding', value: ({ status }) => status },
    { key: 'target', header: 'Target', value: ({ target }) => target },
    { key: 'before', header: 'Received before', value: ({ before }) => before, kind: 'time' },
    { key: 'inbox', header: 'Inbox', value: ({ inbox }) => inbox },
  ],
};
