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
    { key: 'event', header: 'Event', value: ({ event }) => event },
    { key: 'id', header: 'Event id', kind: 'id', value: ({ id }) => id },
    { key: 'status', header: 'Answer', value: ({ status }) => status },
    { key: 'ms', header: 'ms', value: ({ ms }) => ms },
    { key: 'error', header: 'Problem', kind: 'text', value: ({ error }) => error },
    { key: 'url', header: 'Sent to', value: ({ url }) => url, detail: true },
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
