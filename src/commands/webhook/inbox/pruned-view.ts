/** What was removed from the inbox. */
import type { ShownState } from '../../../forward/forward.ts';
import type { View } from '../../../terminal/view.ts';

interface Pruned {
  readonly removed: number;
  /** The forwarding state of the events; null for what was taken from one application. */
  readonly state: ShownState | null;
  /** Null where the state chose them. */
  readonly target: string | null;
  readonly before: string | null;
  readonly inbox: string;
}

export const prunedView: View<Pruned> = {
  name: 'pruned',
  columns: [
    { key: 'removed', header: 'Removed' },
    {
      key: 'state',
      header: 'Forwarding',
      text: ({ state }) => state?.toLowerCase().replaceAll('_', ' ') ?? '',
    },
    { key: 'target', header: 'Target' },
    { key: 'before', header: 'Received before', kind: 'time' },
    { key: 'inbox', header: 'Inbox' },
  ],
};
