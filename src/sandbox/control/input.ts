/** Parses what the control plane is given, strictly, so that a misspelt name is reported rather than ignored. */
import type { Context } from 'hono';
import * as z from 'zod/mini';
import { dataError } from '../../errors.ts';
import { describeIssues } from '../input/validation-issues.ts';

/** Reads the JSON body. Throws `dataError` if it is not what `schema` asks for. */
export async function readBody<T>(context: Context, schema: z.ZodMiniType<T>): Promise<Parsed<T>> {
  const text = await context.req.text();
  let body: unknown;
  try {
    body = text === '' ? {} : JSON.parse(text);
  } catch {
    throw dataError('BAD_BODY', 'the body is not JSON');
  }
  return parseWith(schema, body, 'body');
}

/**
 * Reads the query. Throws `dataError` for names or values that `schema` does not ask for. `token` belongs to the guard.
 */
export function readQuery<T>(context: Context, schema: z.ZodMiniType<T>): Parsed<T> {
  const { token: _, ...query } = context.req.query();
  return parseWith(schema, query, 'query');
}

/** A property that was left out is absent: neither JSON nor a query has `undefined`. */
export type Parsed<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function parseWith<T>(schema: z.ZodMiniType<T>, value: unknown, root: 'body' | 'query'): Parsed<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data as Parsed<T>;
  throw dataError('BAD_INPUT', describeIssues(result.error.issues, value, root));
}

/** The query parameter that bounds a list. */
export const limit = () => z.optional(wholeNumber({ min: 1, max: 1_000 }));

/** The same for what a test may want to see all of: events, and their deliveries. */
export const longListLimit = () => z.optional(wholeNumber({ min: 1, max: 100_000 }));

/** The query for the records of every merchant, or of one. */
export const recordsQuery = () => z.strictObject({ merchantId: z.optional(z.string()), limit: limit() });

/** A whole number, written as text in a query. */
export const wholeNumber = (limits: { min: number; max: number }) =>
  z.pipe(
    z.pipe(z.string().check(z.regex(/^\d{1,15}$/, 'must be a whole number')), z.transform(Number)),
    z.int().check(z.minimum(limits.min), z.maximum(limits.max)),
  );

/** The number of an event, a delivery or a request, in a query. */
export const sequenceNumber = () => z.optional(wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }));
