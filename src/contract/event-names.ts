/** The names of events (document: "Event names"), apart from the schemas: much knows them that parses nothing. */
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

/** Whether the document shows the event; others may exist (`eighth-event`). */
export const isEventName = (name: string): name is EventName =>
  (eventNames as readonly string[]).includes(name);
