/**
 * The signature of a delivery (document: "Signature header"): `t=<unix seconds>,v1=<hex>`, where v1 is
 * HMAC-SHA256 of `<t>.<raw body>` under the endpoint's secret. Pure functions over raw bytes: verify
 * before parsing, because a body that was parsed and written again is another body.
 */
import { timingSafeEqual } from 'node:crypto';
import { type HeaderFault, parseSignatureHeader } from './signature/header.ts';
import { hexDigest } from './signature/hmac.ts';

/**
 * The documented name. The document calls it "a neutral name", so the real one may differ: assumption
 * `signature-header`.
 */
export const signatureHeader = 'Service-Signature';

/** The default for how far `t` may be from now, in either direction. Milliseconds. */
export const defaultToleranceMs = 300_000;

interface SignInput {
  secret: string;
  /** The body exactly as it is sent; a string stands for its UTF-8 bytes. */
  body: Uint8Array | string;
  /** Unix time in seconds. */
  timestamp: number;
}

export interface VerifyInput {
  secret: string;
  /** The body exactly as it was received, before any parsing. */
  body: Uint8Array | string;
  /** The header's value; an array where it came several times. */
  header: string | readonly string[] | null | undefined;
  /** Milliseconds since the epoch. */
  now: number;
  /** How far `t` may be from `now`, in either direction; null accepts any time. */
  toleranceMs: number | null;
}

export type VerifyFault = HeaderFault | 'signature-mismatch' | 'timestamp-too-old' | 'timestamp-in-future';

export type Verified = { ok: true; timestamp: number } | { ok: false; reason: VerifyFault; message: string };

/** Returns the value of the signature header. Throws TypeError on misuse: an empty secret, a parsed body. */
export function sign({ secret, body, timestamp }: SignInput): string {
  requireUsable(secret, body);
  if (!Number.isSafeInteger(timestamp) || timestamp < 0 || timestamp > 999_999_999_999)
    throw new TypeError('timestamp must be Unix time in whole seconds');
  return `t=${timestamp},v1=${hexDigest(secret, String(timestamp), body)}`;
}

/** Like `sign`, with the time as a clock gives it: `now` in milliseconds since the epoch. */
export const signAt = ({ now, ...what }: Omit<SignInput, 'timestamp'> & { now: number }): string =>
  sign({ ...what, timestamp: Math.floor(now / 1_000) });

/**
 * Checks that the header was made from this body with this secret, and recently. A mismatch is an answer and never
 * throws; misuse (empty secret, parsed body) throws TypeError. The signature is checked before the time, so that "too
 * old" is only ever said of a genuine delivery.
 */
export function verify({ secret, body, header, now, toleranceMs }: VerifyInput): Verified {
  requireUsable(secret, body);
  if (!isHeader(header))
    throw new TypeError("header must be the signature header's value: a string, strings, null or undefined");
  if (!Number.isFinite(now)) throw new TypeError('now must be milliseconds since the epoch');
  if (toleranceMs !== null && !(typeof toleranceMs === 'number' && toleranceMs >= 0))
    throw new TypeError('toleranceMs must be milliseconds, or null for any time');
  const parsed = parseSignatureHeader(header);
  if (!parsed.ok) return parsed;
  const expected = Buffer.from(hexDigest(secret, parsed.t, body), 'latin1');
  let matched = false;
  // No early exit: the time taken must not show which of several signatures matched.
  for (const candidate of parsed.signatures) {
    if (timingSafeEqual(expected, Buffer.from(candidate.toLowerCase(), 'latin1'))) matched = true;
  }
  if (!matched)
    return {
      ok: false,
      reason: 'signature-mismatch',
      message: 'the signature does not match this body and secret',
    };
  const timestamp = Number(parsed.t);
  return judgeTime(timestamp, now, toleranceMs) ?? { ok: true, timestamp };
}

function judgeTime(timestamp: number, now: number, toleranceMs: number | null): Verified | null {
  if (toleranceMs === null) return null;
  const age = now - timestamp * 1000;
  if (Math.abs(age) <= toleranceMs) return null;
  // Rounded away from the limit, so that a refused time never reads like an allowed one.
  const seconds = Math.ceil(Math.abs(age) / 1000);
  const allowed = `${Math.floor(toleranceMs / 1000)} s are allowed`;
  return age > 0
    ? { ok: false, reason: 'timestamp-too-old', message: `it was signed ${seconds} s ago; ${allowed}` }
    : {
        ok: false,
        reason: 'timestamp-in-future',
        message: `it was signed ${seconds} s in the future; ${allowed}: check the clocks`,
      };
}

/** Whether it can be a header's value: a string, several strings (a repeated header), or none. */
const isHeader = (header: unknown): boolean =>
  typeof header === 'string' ||
  (header ?? null) === null ||
  (Array.isArray(header) && header.every((value) => typeof value === 'string'));

function requireUsable(secret: unknown, body: unknown): void {
  if (typeof secret !== 'string' || secret === '') throw new TypeError('secret must be a non-empty string');
  // Not `instanceof`: a test runner may run each file in its own realm, or in one with a browser's globals.
  if (typeof body !== 'string' && !ArrayBuffer.isView(body))
    throw new TypeError('body must be the raw bytes or text as received, not a parsed object');
}
