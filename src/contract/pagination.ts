/** Bidirectional cursors (document: "Pagination object", "GET /transparents/list", "Limits"). */
import * as z from 'zod/mini';
import { type SchemaOutput, schema } from './schema.ts';

export const listLimit = { min: 1, max: 100, default: 20 } as const;

export const pagination = schema(() =>
  z.looseObject({
    hasMore: z.boolean(),
    next: z.optional(z.nullable(cursor())),
    before: z.optional(z.nullable(z.string())),
  }),
);
export type Pagination = SchemaOutput<typeof pagination>;

/** A cursor with half of a surrogate pair cannot be written into an address: the request would ask for another page. */
const cursor = () => z.string().check(z.refine((text) => text.isWellFormed(), 'not well-formed'));

/** The query of a list. On the wire `limit` is text; both sides of the contract see a number. */
export const listQuery = schema(() =>
  z.strictObject({
    limit: z.optional(z.int().check(z.minimum(listLimit.min), z.maximum(listLimit.max))),
    after: z.optional(z.string().check(z.minLength(1))),
    before: z.optional(z.string().check(z.minLength(1))),
  }),
);
export type ListQuery = SchemaOutput<typeof listQuery>;

/**
 * Reads the usual list query (nothing, or a `limit` within its bounds) without the schema, which takes longer to load
 * than a page takes to find. Null for any other query, which `listQuery` then checks.
 */
export function plainListQuery(text: string): ListQuery | null {
  if (text === '') return {};
  const digits = /^limit=([1-9]\d{0,2})$/.exec(text)?.[1];
  const limit = Number(digits);
  return limit >= listLimit.min && limit <= listLimit.max ? { limit } : null;
}
