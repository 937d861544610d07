/** An event's name as it is parsed, and its delivery body (document: "Events", "Event delivery body"). */
import * as z from 'zod/mini';
import { eventNameForm } from './event-names.ts';
import { schema } from './schema.ts';

export const eventName = schema(() =>
  z.string().check(z.regex(eventNameForm, 'must be an upper-case event name')),
);

/** The body of a delivery. `id` is the deduplication key; unknown events and fields are kept. */
export interface Event {
  readonly id: string;
  readonly event: string;
  readonly createdAt: string;
  readonly data: Readonly<Record<string, unknown>>;
}
