/** The columns of the sandbox's events and deliveries. */
import { recordIdIn } from '../../../contract/event-data.ts';
import type { Delivery } from '../../../sandbox/deliveries/delivery-list.ts';
import type { SandboxEvent } from '../../../sandbox/deliveries/event-log.ts';
import type { View } from '../../../terminal/view.ts';

export const eventView: View<SandboxEvent> = {
  name: 'event',
  columns: [
    { key: 'createdAt', header: 'At', kind: 'time' },
    { key: 'event', header: 'Event' },
    { key: 'id', header: 'ID', kind: 'id' },
    { key: 'about', header: 'About', value: ({ data }) => recordIdIn(data) },
    { key: 'seq', header: 'Seq', detail: true },
    { key: 'merchantId', header: 'Merchant', detail: true },
    { key: 'data', header: 'Data', value: ({ data }) => JSON.stringify(data), detail: true },
  ],
};

const lastReason = ({ reason, attempts }: Delivery): string =>
  reason ?? (attempts.length === 0 ? 'not sent yet' : 'under way');

export const deliveryView: View<Delivery> = {
  name: 'delivery',
  columns: [
    { key: 'id', header: 'No' },
    { key: 'event', header: 'Event' },
    { key: 'eventId', header: 'Event id', kind: 'id' },
    { key: 'url', header: 'To', dropPriority: 1 },
    { key: 'state', header: 'State', kind: 'status' },
    { key: 'attempts', header: 'Attempts', dropPriority: 2, value: ({ attempts }) => attempts.length },
    { key: 'reason', header: 'Why', kind: 'text', value: lastReason },
    { key: 'nextAttemptAt', header: 'Next', kind: 'time', detail: true },
    { key: 'createdAt', header: 'Created', kind: 'time', detail: true },
    { key: 'endpoint', header: 'Endpoint', detail: true },
    { key: 'replayOf', header: 'Replay of', detail: true },
  ],
};
