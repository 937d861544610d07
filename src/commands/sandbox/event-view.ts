/** The columns of the sandbox's events and deliveries. */
import type { View } from '../../terminal/view.ts';

export interface EventShown {
  readonly seq: number;
  readonly id: string;
  readonly event: string;
  readonly merchantId: string;
  readonly createdAt: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Id and amount of what an event is about, also where `event-data-shape` nests the record. */
function about({ data }: EventShown): string {
  const record = [data, ...Object.values(data)].find(
    (value): value is { id: string; amount?: unknown } =>
      typeof value === 'object' && value !== null && 'id' in value,
  );
  return record === undefined ? '' : String(record.id);
}

export const eventView: View<EventShown> = {
  name: 'event',
  columns: [
    { key: 'createdAt', header: 'AT', value: ({ createdAt }) => createdAt, kind: 'time' },
    { key: 'event', header: 'EVENT', value: ({ event }) => event },
    { key: 'id', header: 'ID', value: ({ id }) => id },
    { key: 'about', header: 'ABOUT', value: about },
    { key: 'seq', header: 'SEQ', value: ({ seq }) => seq, detail: true },
    { key: 'merchantId', header: 'MERCHANT', value: ({ merchantId }) => merchantId, detail: true },
    { key: 'data', header: 'DATA', value: ({ data }) => JSON.stringify(data), detail: true },
  ],
};

export interface DeliveryShown {
  readonly id: number;
  readonly eventId: string;
  readonly event: string;
  readonly endpoint: string;
  readonly url: string;
  readonly state: string;
  readonly reason: string | null;
  readonly nextAttemptAt: string | null;
  readonly replayOf: number | null;
  readonly createdAt: string;
  readonly attempts: readonly { readonly endedAt: string | null; readonly reason: string | null }[];
}

const lastReason = ({ reason, attempts }: DeliveryShown): string =>
  reason ?? attempts.at(-1)?.reason ?? (attempts.length === 0 ? 'not sent yet' : 'under way');

export const deliveryView: View<DeliveryShown> = {
  name: 'delivery',
  columns: [
    { key: 'id', header: 'NO', value: ({ id }) => id },
    { key: 'event', header: 'EVENT', value: ({ event }) => event },
    { key: 'eventId', header: 'EVENT ID', value: ({ eventId }) => eventId },
    { key: 'url', header: 'TO', value: ({ url }) => url },
    { key: 'state', header: 'STATE', value: ({ state }) => state, kind: 'status' },
    { key: 'attempts', header: 'ATTEMPTS', value: ({ attempts }) => attempts.length },
    { key: 'reason', header: 'WHY', value: lastReason },
    {
      key: 'nextAttemptAt',
      header: 'NEXT',
      value: ({ nextAttemptAt }) => nextAttemptAt,
      kind: 'time',
      detail: true,
    },
    { key: 'createdAt', header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time', detail: true },
    { key: 'endpoint', header: 'ENDPOINT', value: ({ endpoint }) => endpoint, detail: true },
    { key: 'replayOf', header: 'REPLAY OF', value: ({ replayOf }) => replayOf, detail: true },
  ],
};
