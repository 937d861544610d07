/**
 * `import { sign, verify } from 'pixctl/webhooks'`: the signature scheme of the service's deliveries, for your own
 * receivers and their tests. Functions over raw bytes; loads nothing but `node:crypto`.
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import { systemClock } from './clock.ts';
import { eventNameForm } from './contract/event-names.ts';
import { eventOf } from './contract/event-samples.ts';
import {
  defaultToleranceMs,
  signatureHeader,
  sign as signBody,
  type Verified,
  type VerifyFault,
  verify as verifyAt,
} from './contract/signature.ts';

export { defaultToleranceMs, signatureHeader, type Verified, type VerifyFault };

/** The body of a delivery, as the service documents it. `data` may gain fields without notice. */
export interface WebhookEvent {
  /** Form `evt_<id>`; the same event may arrive more than once: deduplicate with it. */
  id: string;
  /** `CHARGE_PAID` and the like. Expect names that you do not know, and ignore them. */
  event: string;
  /** ISO 8601. */
  createdAt: string;
  data: Record<string, unknown>;
}

export interface SignOptions {
  /** The endpoint's secret. */
  secret: string;
  /** The body exactly as it is sent. */
  body: Uint8Array | string;
  /** Unix time in seconds; defaults to now. */
  timestamp?: number;
}

export interface VerifyOptions {
  /** The endpoint's secret. */
  secret: string;
  /** The body exactly as it was received, before any JSON parsing. */
  body: Uint8Array | string;
  /** The value of the `Service-Signature` header as your framework gives it. */
  header: string | readonly string[] | null | undefined;
  /** Milliseconds since the epoch; defaults to now. */
  now?: number;
  /**
   * How far the signing time may be from now, in either direction, in milliseconds. Default: 5 minutes. Null: any time.
   */
  toleranceMs?: number | null;
}

export interface DeliveryOptions {
  /** What your receiver verifies with: any text, as long as both have the same one. */
  secret: string;
  /** `CHARGE_PAID` and the like. For a name that the service does not document, `data` is all there is in it. */
  event: string;
  /** Fields that take the place of the sample's, or come on top: `{ id: 'chg_1', amount: 1050 }`, in cents. */
  data?: Record<string, unknown>;
  /** The event's id. Drawn if it is left out; give one to deliver the same event again. */
  id?: string;
  /** Unix time in seconds of the signature and the event; defaults to now. */
  timestamp?: number;
}

/** A request as the service sends it, for `new Request`, `app.inject`, supertest and the like. */
export interface SignedDelivery {
  /** JSON text: the bytes that are signed. */
  body: string;
  /** `Content-Type` and `Service-Signature`. */
  headers: Record<string, string>;
  /** What the body says. */
  event: WebhookEvent;
}

/**
 * Makes a signed delivery with realistic data, to test a receiver without a server. Throws TypeError on misuse: an
 * empty secret, an event's name that is impossible, `data` that is no object.
 */
export function createDelivery(options: DeliveryOptions): SignedDelivery {
  const given = requireOptions(options, 'createDelivery takes { secret, event }');
  const { secret, event, data, id, timestamp = Math.floor(systemClock.now() / 1000) } = given;
  if (typeof event !== 'string' || !eventNameForm.test(event))
    throw new TypeError("event must be an upper-case event name, like 'CHARGE_PAID'");
  if (id !== undefined && typeof id !== 'string') throw new TypeError('id must be a string');
  if (data !== undefined && (typeof data !== 'object' || data === null || Array.isArray(data)))
    throw new TypeError('data must be an object of fields');
  // Judged before it is made a date of.
  const signed = (body: string) => sign({ secret, body, timestamp });
  signed('');
  const newId = () => randomUUID().replaceAll('-', '');
  const sample = eventOf(event, null, { now: timestamp * 1000, newId });
  const body = JSON.stringify({ ...sample, id: id ?? sample.id, data: { ...sample.data, ...data } });
  const headers = { 'Content-Type': 'application/json', [signatureHeader]: signed(body) };
  return { body, headers, event: JSON.parse(body) };
}

/** Returns the value of the `Service-Signature` header. Throws TypeError on misuse: an empty secret, a parsed body. */
export function sign(options: SignOptions): string {
  const { timestamp, ...rest } = requireOptions(options, 'sign takes { secret, body }');
  return signBody({ ...rest, timestamp: timestamp ?? Math.floor(systemClock.now() / 1000) });
}

/**
 * Checks that a delivery is genuine and recent, in constant time. Returns `{ ok: false, reason, message }` for one that
 * is not; throws TypeError on misuse (an empty secret, a parsed body).
 */
export function verify(options: VerifyOptions): Verified {
  const { now, toleranceMs, ...rest } = requireOptions(options, 'verify takes { secret, body, header }');
  return verifyAt({
    ...rest,
    now: now ?? systemClock.now(),
    toleranceMs: toleranceMs === undefined ? defaultToleranceMs : toleranceMs,
  });
}

/** JavaScript receivers have no types to warn them: one may pass nothing, or positional arguments. */
function requireOptions<T>(options: T, words: string): T {
  if (typeof options === 'object' && options !== null) return options;
  throw new TypeError(`${words}, an object, not ${options === null ? 'null' : typeof options}`);
}
