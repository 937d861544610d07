/** Charges (document: "Charge", "POST /transparents/create"). Amounts in cents, `expiresIn` in seconds. */
import * as z from 'zod/mini';
import { type SchemaOutput, schema } from './schema.ts';

export const chargeLimits = {
  amount: { min: 100, max: 100_000_000 },
  description: { max: 140 },
  customerId: { max: 50 },
  expiresIn: { min: 60, max: 2_592_000, default: 86_400 },
} as const;

/**
 * Counts the characters of a text as Unicode code points, as the schemas below do. The document does not say what its
 * limits count (assumption `description-length`). Counting UTF-16 units would give more, and refuse what the service
 * may accept.
 */
export const countCharacters = (text: string): number => [...text].length;

export const imagePrefix = 'data:image/png;base64,';

/**
 * Requires only `id`, although the document requires more: a person without an e-mail address must not hide a list of
 * charges.
 */
const customerSummary = schema(() =>
  z.looseObject({
    id: z.string(),
    name: z.optional(z.nullable(z.string())),
    taxId: z.optional(z.nullable(z.string())),
    email: z.optional(z.nullable(z.string())),
    phone: z.optional(z.nullable(z.string())),
  }),
);

/**
 * A charge as the service returns it. Lenient: unknown fields pass, an unknown status is kept as it is. The document
 * does not show which fields the check and the list return (`check-shape`, `list-shape`): a charge without its picture,
 * say, must still show its status, and must not hide the others.
 */
export const charge = schema(() =>
  z.looseObject({
    // A charge without an id can be neither waited for nor refunded: it counts as no answer.
    id: z.string().check(z.minLength(1)),
    amount: z.int(),
    status: z.string(),
    txid: z.optional(z.nullable(z.string())),
    brCode: z.optional(z.nullable(z.string())),
    imageBase64: z.optional(z.nullable(z.string())),
    expiresAt: z.optional(z.nullable(z.string())),
    customer: z.optional(z.nullable(customerSummary())),
    createdAt: z.optional(z.nullable(z.string())),
  }),
);
export type Charge = SchemaOutput<typeof charge>;

/**
 * The answer to a create. It must have every field that the document requires: without its code, nobody can pay the
 * charge.
 */
export const createdCharge = schema(() =>
  z.extend(charge(), {
    txid: z.string(),
    brCode: z.string(),
    imageBase64: z.string(),
    createdAt: z.string(),
  }),
);
export type CreatedCharge = SchemaOutput<typeof createdCharge>;

/** The body of a create; the amount's bounds are a business rule (`BAD_REQUEST`), the rest is validation. */
export const createChargeBody = schema(() =>
  z.strictObject({
    method: z.literal('PIX'),
    amount: z.int(),
    description: z.optional(z.string().check(z.maxLength(chargeLimits.description.max))),
    customerId: z.optional(z.string().check(z.maxLength(chargeLimits.customerId.max))),
    expiresIn: z.optional(
      z.int().check(z.minimum(chargeLimits.expiresIn.min), z.maximum(chargeLimits.expiresIn.max)),
    ),
  }),
);
export type CreateChargeBody = SchemaOutput<typeof createChargeBody>;

export const chargeQuery = schema(() => z.strictObject({ id: z.string().check(z.minLength(1)) }));

/** The answer to a refund: its fields are not shown (assumption `refund-shape`), so none is required or checked. */
export const refund = schema(() => z.unknown());
export type Refund = SchemaOutput<typeof refund>;
