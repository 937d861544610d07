/** The columns of the sandbox's events and deliveries. */
import { recordIdIn } from '../../../contract/event-data.ts';
import type { Delivery } from '../../../sandbox/deliveries/delivery-list.ts';
import type { SandboxEvent } from '../../../sandbox/deliveries/event-log.ts';
import type { View } from '../../../terminal/view.ts';

export const eventView: View<SandboxEvent> = {
  name: 'event',
  columns: [
    { key: 'createdAt', header: 'At', value: ({ createdAt }) => createdAt, kind: 'time' },
    { key: 'event', header: 'Event', value: ({ event }) => event },
    { key: 'id', header: 'ID', kind: 'id', value: ({ id }) => id },
    { key: 'about', header: 'About', value: ({ data }) => recordIdIn(data) },
    { key: 'seq', header: 'Seq', value: ({ seq }) => seq, detail: true },
    { key: 'merchantId', header: 'Merchant', value: ({ merchantId }) => merchantId, detail: true },
    { key: 'data', header: 'Data', value: ({ data }) => JSON.stringify(data), detail: true },
  ],
};

const lastReason = ({ reason, attempts }: Delivery): string =>
  reason ?? (attempts.length === 0 ? 'not sent yet' : 'under way');

export const deliveryView: View<Delivery> = {
  name: 'delivery',
  columns: [
    { key: 'id', header: 'No', value: ({ id }) => id },
    { key: 'event', header: 'Event', value: ({ event }) => event },
    { key: 'eventId', header: 'Event id', kind: 'id', value: ({ eventId }) => eventId },
    { key: 'url', header: 'To', dropPriority: 1, value: ({ url }) => url },
    { key: 'state', header: 'State', value: ({ state }) => state, kind: 'status' },
    { key: 'attempts', header: 'Attempts', dropPriority: 2, value: ({ attempts }) => attempts.length },
    { key: 'reason', header: 'Why', kind: 'text', value: lastReason },
    {
      key: 'nextAttemptAt',
      header: 'Next',
      value: ({ nextAttemptAt }) => nextAttemptAt,
      kind: 'time',
      detail: true,
    },
    { key: 'createdAt', header: 'Created', value: ({ createdAt }) => createdAt, kind: 'time', detail: true },
    { key: 'endpoint', header: 'Endpoint', value: ({ endpoint }) => endpoint, detail: true },
    { key: 'replayOf', header: 'Replay of', value: ({ replayOf }) => replayOf, detail: true },
  ],
};
