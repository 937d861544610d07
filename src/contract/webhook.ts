/** Webhook endpoints and deliveries (document: "Webhook endpoint", "POST /webhooks", "Retry policy"). */
import * as z from 'zod/mini';
import { type SchemaOutput, schema } from './schema.ts';

export const webhookLimits = {
  events: { min: 1, max: 8 },
  attempts: 3,
  /** Limit on one delivery attempt, in milliseconds. */
  timeoutMs: 10_000,
} as const;

/** Registration body. The name of the URL field is not shown: assumption `webhook-url-field`. */
export const createWebhookBody = schema(() =>
  z.strictObject({
    url: z.string().check(z.minLength(1)),
    events: z
      .array(z.string().check(z.minLength(1)))
      .check(z.minLength(webhookLimits.events.min), z.maxLength(webhookLimits.events.max)),
  }),
);

/** A registered endpoint. `secret` comes only in the registration answer; `id` is assumed. */
export const webhookEndpoint = schema(() =>
  z.looseObject({
    id: z.optional(z.string()),
    url: z.optional(z.string()),
    events: z.optional(z.array(z.string())),
    secret: z.optional(z.string()),
  }),
);
export type WebhookEndpoint = SchemaOutput<typeof webhookEndpoint>;

/** One row of the delivery history; every field name is assumed (`delivery-record`), and so are their types. */
export const deliveryRecord = schema(() => z.looseObject({}));
export interface DeliveryRecord {
  readonly id?: unknown;
  readonly eventId?: unknown;
  readonly event?: unknown;
  readonly status?: unknown;
  readonly httpStatus?: unknown;
  readonly success?: unknown;
  readonly attempt?: unknown;
  readonly error?: unknown;
  readonly createdAt?: unknown;
  readonly [field: string]: unknown;
}
