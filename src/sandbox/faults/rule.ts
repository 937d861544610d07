/** A requested misbehaviour: what it matches, what it does, how often. Parsed strictly, so that a typo is refused. */
import * as z from 'zod/mini';
import { errorStatus } from '../../contract/error-codes.ts';
import { eventName } from '../../contract/event.ts';
import { type OperationName, operations } from '../../contract/operations.ts';
import { type SchemaOutput, schema } from '../../contract/schema.ts';
import { longestAdvanceMs } from '../world/limits.ts';
import { locationForm, locationWords, longestSkewMs, longestWaitMs, statusesWithoutBody } from './limits.ts';

const positive = schema(() => z.int().check(z.minimum(1)));
const milliseconds = schema(() => z.int().check(z.minimum(0), z.maximum(longestWaitMs)));
const skewSeconds = schema(() => z.int().check(z.minimum(1), z.maximum(longestSkewMs / 1_000)));
const hasBody = (status: number): boolean => !statusesWithoutBody.includes(status);
const noBody = `must be a status with a body: an answer with ${statusesWithoutBody.join(', ')} has none`;
/** `before`: the effect on the world never happens. `after`: it is committed, and only the answer goes wrong. */
const when = schema(() => z._default(z.enum(['before', 'after']), 'before'));

const apiEffect = schema(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('error'),
      when: when(),
      status: z._default(z.int().check(z.minimum(400), z.maximum(599)), 500),
      /** The service's `error` code. By default the one that the document lists for the status. */
      code: z.optional(z.string()),
      message: z.optional(z.string()),
    }),
    z.strictObject({
      kind: z.literal('html'),
      when: when(),
      status: z._default(z.int().check(z.minimum(200), z.maximum(599), z.refine(hasBody, noBody)), 502),
      /** Sent instead of the page, unchanged; as `application/json` if it is JSON. */
      body: z.optional(z.string().check(z.maxLength(maxValueLength))),
      /** The Location header of a redirect. */
      location: z.optional(z.string().check(z.regex(locationForm, locationWords))),
    }),
    z.strictObject({
      kind: z.literal('rate-limit'),
      /** Seconds in the Retry-After header. Null sends no such header. */
      retryAfter: z._default(z.nullable(z.int().check(z.minimum(0))), null),
    }),
    z.strictObject({ kind: z.literal('reset'), when: when() }),
    /** No answer at all. `ms`: the connection is closed after that long. Null leaves it to the client. */
    z.strictObject({
      kind: z.literal('hang'),
      when: when(),
      ms: z._default(z.nullable(milliseconds()), null),
    }),
    z.strictObject({ kind: z.literal('latency'), ms: z._default(milliseconds(), 1_000) }),
    z.strictObject({ kind: z.literal('truncate') }),
    /** `refuse`: the given cursor is no longer known. `loop`: `next` leads back to the same page. */
    z.strictObject({
      kind: z.literal('stale-cursor'),
      mode: z._default(z.enum(['refuse', 'loop']), 'refuse'),
    }),
    z.strictObject({ kind: z.literal('repeat-item') }),
    z.strictObject({ kind: z.literal('unknown-status'), value: z._default(z.string(), 'UNDER_REVIEW') }),
    z.strictObject({
      kind: z.literal('unknown-field'),
      name: z._default(z.string(), 'addedInBeta'),
      value: z._default(
        z.unknown().check(z.refine(isWritable, `must be JSON of at most ${maxValueLength} characters`)),
        'a field that the document does not show',
      ),
    }),
  ]),
);

const deliveryEffect = schema(() =>
  z.discriminatedUnion('kind', [
    /** Sends `copies` more of the same request, one after another, within the same attempt. */
    z.strictObject({
      kind: z.literal('duplicate'),
      copies: z._default(z.int().check(z.minimum(1), z.maximum(100)), 1),
    }),
    /** Holds it back until the endpoint's next event has been sent, or for `ms` of sandbox time. */
    z.strictObject({ kind: z.literal('reorder'), ms: z._default(milliseconds(), 5_000) }),
    z.strictObject({ kind: z.literal('delay'), ms: z._default(milliseconds(), 5_000) }),
    z.strictObject({ kind: z.literal('bad-signature') }),
    z.strictObject({ kind: z.literal('wrong-secret') }),
    /** Signs with a `t` this many seconds in the past or the future. */
    z.strictObject({ kind: z.literal('stale-timestamp'), seconds: z._default(skewSeconds(), 3_600) }),
    z.strictObject({ kind: z.literal('future-timestamp'), seconds: z._default(skewSeconds(), 3_600) }),
    /** Writes the same JSON differently after signing, as a proxy may do. */
    z.strictObject({ kind: z.literal('reserialise') }),
  ]),
);

/** Longest JSON value, in characters. One this short cannot be nested too deeply to be written again. */
const maxValueLength = 4_096;

/** Whether it can be written as JSON. Otherwise that would come out only as an answer is written, after its effect. */
function isWritable(value: unknown): boolean {
  try {
    return (JSON.stringify(value)?.length ?? 0) <= maxValueLength;
  } catch {
    return false;
  }
}

export type ApiEffect = SchemaOutput<typeof apiEffect>;
export type DeliveryEffect = SchemaOutput<typeof deliveryEffect>;

const matcher = () => ({
  /** Only the nth match fires, counting from 1. */
  nth: z.optional(positive()),
  /** Each match fires with this probability, drawn from `seed`. */
  probability: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
  seed: z._default(z.int(), 1),
  /** Fires at most this often; without it, until cleared. */
  times: z.optional(positive()),
  /** Ends after this many milliseconds of sandbox time. */
  forMs: z.optional(z.int().check(z.minimum(1), z.maximum(longestAdvanceMs))),
  preset: z.optional(z.string()),
});

const operationNames = Object.keys(operations) as [OperationName, ...OperationName[]];

const apiRule = schema(() =>
  z.strictObject({
    target: z.literal('api'),
    /** Operations that it matches; null for every route. */
    operations: z._default(z.nullable(z.array(z.enum(operationNames)).check(z.minLength(1))), null),
    effect: apiEffect(),
    ...matcher(),
  }),
);

const deliveryRule = schema(() =>
  z.strictObject({
    target: z.literal('delivery'),
    /** Event names that it matches; null for every event. */
    events: z._default(z.nullable(z.array(eventName()).check(z.minLength(1))), null),
    /** An endpoint's id; null for every endpoint. */
    endpoint: z._default(z.nullable(z.string()), null),
    effect: deliveryEffect(),
    ...matcher(),
  }),
);

export const faultRule = schema(() => z.discriminatedUnion('target', [apiRule(), deliveryRule()]));
export type ApiRule = SchemaOutput<typeof apiRule>;
export type DeliveryRule = SchemaOutput<typeof deliveryRule>;
export type FaultRule = SchemaOutput<typeof faultRule>;
/** A rule as a caller writes it: everything with a default may be left out. */
export type FaultInput = z.input<ReturnType<typeof faultRule>>;

/** Returns the code that the document lists for a status; INTERNAL_ERROR for a status that it does not name. */
export const codeFor = (status: number): string =>
  Object.entries(errorStatus).findLast(([, other]) => other === status)?.[0] ?? 'INTERNAL_ERROR';
