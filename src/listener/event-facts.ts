/**
 * Reads what a verified body says of itself (document: "Event delivery body"). A signed body that is not as documented
 * is still a delivery that the service will not repeat: it is kept, under a hash of its bytes.
 */
import { createHash, createHmac } from 'node:crypto';
import { isObject, parseObject } from '../contract/json-object.ts';

export interface EventFacts {
  /** Top-level `id`, or `sha256:<hex>` if there is no usable one. */
  readonly id: string;
  /** Event name; empty if there is none. Unknown names are kept. */
  readonly event: string;
  /** `data.amount` if it is a whole number of cents. */
  readonly amount: number | null;
  readonly status: string | null;
  /** What is odd about the body, in words; null if it is as documented. */
  readonly odd: string | null;
}

/** Reads the facts of a body. Never throws, whatever the body is. */
export function parseEventFacts(body: Uint8Array): EventFacts {
  const parsed = parse(body);
  const data = isObject(parsed?.data) ? parsed.data : {};
  const id = nullIfAmbiguous(toStorableName(parsed?.id));
  const event = toStorableName(parsed?.event);
  return {
    id: id ?? `sha256:${createHash('sha256').update(body).digest('hex')}`,
    event: event ?? '',
    amount: Number.isSafeInteger(data.amount) ? (data.amount as number) : null,
    status: toStorableName(data.status),
    odd: findOddity(parsed, id, event),
  };
}

/** Identifies a secret without revealing it: event ids are unique only per signer. */
export const fingerprint = (secret: string): string =>
  createHmac('sha256', secret).update('pixctl inbox source').digest('hex').slice(0, 16);

function parse(body: Uint8Array): Record<string, unknown> | null {
  const text = bytesOf(body).toString('utf8');
  return parseObject(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
}

const bytesOf = (body: Uint8Array): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);

/** Returns text that any database accepts as a name (bounded, no NUL, no half of a surrogate pair), or null. */
const toStorableName = (value: unknown): string | null =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= 200 &&
  !value.includes('\0') &&
  value.isWellFormed()
    ? value
    : null;

/**
 * Drops an id with U+FFFD. All bytes that are not UTF-8 are read as it, so one event could pass for a repeat of
 * another.
 */
const nullIfAmbiguous = (id: string | null): string | null => (id?.includes('\ufffd') ? null : id);

function findOddity(parsed: Record<string, unknown> | null, id: string | null, event: string | null) {
  if (parsed === null) return 'the body is not a JSON object';
  if (id === null) return 'the body has no usable id';
  return event === null ? 'the body has no usable event name' : null;
}
