/** Customers (document: "Customer", "GET /customers/{id}"). */
import * as z from 'zod/mini';
import { type SchemaOutput, schema } from './schema.ts';

/** A customer as the service returns it. The document does not say which fields are required, so only `id` is. */
export const customer = schema(() =>
  z.looseObject({
    id: z.string(),
    name: z.optional(z.nullable(z.string())),
    email: z.optional(z.nullable(z.string())),
    taxId: z.optional(z.nullable(z.string())),
    phone: z.optional(z.nullable(z.string())),
    createdAt: z.optional(z.nullable(z.string())),
    updatedAt: z.optional(z.nullable(z.string())),
  }),
);
export type Customer = SchemaOutput<typeof customer>;
