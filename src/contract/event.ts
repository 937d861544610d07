/** An event's name and its delivery body, as they are parsed (document: "Events", "Event delivery body"). */
import * as z from 'zod/mini';
import { eventNameForm } from './event-names.ts';
import { type SchemaOutput, schema } from './schema.ts';

export const eventName = schema(() =>
  z.string().check(z.regex(eventNameForm, 'must be an upper-case event name')),
);

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
