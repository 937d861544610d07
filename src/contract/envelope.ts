/**
 * The envelope of every answer: `{ data, error, success }` (document: "Conventions for every endpoint").
 * Parsed leniently, because the service is in beta and may add fields.
 */
import * as z from 'zod/mini';
import { schema } from './schema.ts';

export const itemEnvelope = schema(() =>
  z.looseObject({
    success: z.literal(true),
    error: z.optional(z.null()),
    data: z.unknown(),
  }),
);

export const failureEnvelope = schema(() =>
  z.looseObject({
    success: z.literal(false),
    error: z.string(),
    message: z.string(),
  }),
);

export interface FailureEnvelope {
  error: string;
  message: string;
  success: false;
}
