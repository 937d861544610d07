/**
 * `import { sign, verify } from 'pixctl/webhooks'`: the signature scheme of the service's deliveries, for
 * receivers of one's own. Pure functions over raw bytes; nothing but `node:crypto` is loaded.
 *
 * @module
 */
import { systemClock } from './clock.ts';
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
  /** `CHARGE_PAID` and the like; names that you do not know may come, and are to be ignored. */
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
  /** Unix time in seconds; now when left out. */
  timestamp?: number;
}

export interface VerifyOptions {
  /** The endpoint's secret. */
  secret: string;
  /** The body exactly as it was received, before any JSON parsing. */
  body: Uint8Array | string;
  /** The value of the `Service-Signature` header as your framework gives it. */
  header: string | readonly string[] | null | undefined;
  /** Milliseconds since the epoch; now when left out. */
  now?: number;
  /** How far the signing time may be from now, both ways, in milliseconds: 5 minutes; null for any. */
  toleranceMs?: number | null;
}

/** The value of the `Service-Signature` header. Throws TypeError on misuse: an empty secret, a parsed body. */
export function sign(options: SignOptions): string {
  const { timestamp, ...rest } = given(options, 'sign takes { secret, body }');
  return signBody({ ...rest, timestamp: timestamp ?? Math.floor(systemClock.now() / 1000) });
}

/**
 * Whether a delivery is genuine and recent, in constant time. A delivery that is not gives
 * `{ ok: false, reason, message }`; misuse (an empty secret, a parsed body) throws TypeError.
 */
export function verify(options: VerifyOptions): Verified {
  const { now, toleranceMs, ...rest } = given(options, 'verify takes { secret, body, header }');
  return verifyAt({
    ...rest,
    now: now ?? systemClock.now(),
    toleranceMs: toleranceMs === undefined ? defaultToleranceMs : toleranceMs,
  });
}

/** Types do not reach a receiver in JavaScript: it may give nothing, or one argument after the other. */
function given<T>(options: T, words: string): T {
  if (typeof options === 'object' && options !== null) return options;
  throw new TypeError(`${words}, an object, not ${options === null ? 'null' : typeof options}`);
}
