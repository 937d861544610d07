/** An event that was sent to an application, and its answer. */
import type { View } from '../../../terminal/view.ts';

export interface Triggered {
  readonly id: string;
  readonly event: string;
  readonly url: string;
  readonly status: number | null;
  readonly ms: number;
  readonly error: string | null;
}

export const triggeredView: View<Triggered> = {
  name: 'event',
  columns: [
    { key: 'event', header: 'Event' },
    { key: 'id', header: 'Event id', kind: 'id' },
    { key: 'status', header: 'Answer' },
    { key: 'ms', header: 'ms' },
    { key: 'error', header: 'Problem', kind: 'text' },
    { key: 'url', header: 'Sent to', detail: true },
  ],
};

/** Of several applications, a table says in each row which one it was. */
export const triggeredViewFor = (urls: readonly string[]): View<Triggered> =>
  urls.length === 1
    ? triggeredView
    : {
        ...triggeredView,
        columns: triggeredView.columns.map((column) =>
          column.key === 'url' ? { ...column, detail: false } : column,
        ),
      };
