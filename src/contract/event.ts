/** Events and their delivery body (document: "Events", "Event delivery body"). */
import * as z from 'zod/mini';
import { type SchemaOutput, schema } from './schema.ts';

export const eventNames = [
  'CHARGE_PAID',
  'CHARGE_EXPIRED',
  'REFUND_COMPLETED',
  'WITHDRAWAL_COMPLETED',
  'WITHDRAWAL_FAILED',
  'CHECKOUT_PAID',
  'CHECKOUT_REFUNDED',
] as const;
export type EventName = (typeof eventNames)[number];

/** The form of every event name, documented or not: seven are shown, and eight may be subscribed to. */
export const eventNameForm = /^[A-Z][A-Z0-9_]{2,63}$/;

export const eventName = schema(() =>
  z.string().check(z.regex(eventNameForm, 'must be an upper-case event name')),
);

/** Whether the document shows the event; others may exist (`eighth-event`). */
export const isEventName = (name: string): name is EventName =>
  (eventNames as readonly string[]).includes(name);

/** The body of a delivery. `id` is the deduplication key; unknown events and fields are kept. */
export const event = schema(() =>
  z.looseObject({
    id: z.string(),
    event: z.string(),
    createdAt: z.string(),
    data: z.looseObject({}),
  }),
);
export type Event = SchemaOutput<typeof event>;
