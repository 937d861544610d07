/** Whose a delivery is: verified over its raw bytes, under each secret of this listener; or why it is nobody's. */
import type { Clock } from '../clock.ts';
import { explain } from '../contract/signature/explain.ts';
import { parseSignatureHeader } from '../contract/signature/header.ts';
import { type Verified, type VerifyFault, verify } from '../contract/signature.ts';
import type { Headers } from './store.ts';

export interface JudgeOptions {
  readonly clock: Clock;
  /** Of endpoints that are not this listener's, though they may be delivered here. */
  readonly others: () => readonly OtherSecret[];
  readonly signatureHeader: string;
  /** Null: any `t`. */
  readonly toleranceMs: number | null;
}

/** A secret that a refused delivery may be signed with, and what that says of it. */
export interface OtherSecret {
  readonly secret: string;
  readonly told: string;
}

export type Judgement =
  | { readonly ok: true; readonly source: string }
  /** `message` is for whoever delivers; `told`, for whoever runs this listener, may say more. */
  | { readonly ok: false; readonly reason: string; readonly message: string; readonly told: string };

/** `secrets` by their fingerprint, at least one. */
export type Judge = (secrets: ReadonlyMap<string, string>, headers: Headers, body: Uint8Array) => Judgement;

const explainLimit = 64 * 1024;
const explainEveryMs = 200;
/** An explanation holds up every delivery, so that strangers get a twentieth of the time at most. */
const restAfter = 20;

export function createJudge({ clock, others, signatureHeader, toleranceMs }: JudgeOptions): Judge {
  const headerName = signatureHeader.toLowerCase();
  let explainsFrom = Number.NEGATIVE_INFINITY;

  /** Whose it is, though not this listener's; else why it is nobody's. */
  function mismatch(secret: string, body: Uint8Array, header: readonly string[], message: string): string {
    const isTheirs = (other: string) =>
      verify({ secret: other, body, header, now: clock.now(), toleranceMs }).ok;
    const theirs = others().find((other) => isTheirs(other.secret));
    return theirs === undefined ? why(secret, body, header, message) : `${message}: it is ${theirs.told}`;
  }

  /** Which step differs, where a usual mistake explains it. Seldom, because a stranger may be sending. */
  function why(secret: string, body: Uint8Array, header: readonly string[], message: string): string {
    const begun = clock.monotonic();
    if (body.byteLength > explainLimit || begun < explainsFrom) return message;
    const { cause } = explain({ secret, body, header, now: clock.now(), toleranceMs });
    const ended = clock.monotonic();
    explainsFrom = ended + Math.max(explainEveryMs, restAfter * (ended - begun));
    return cause === null ? message : `${message}: ${cause}`;
  }

  return (secrets, headers, body) => {
    const header = headers.filter(([name]) => name.toLowerCase() === headerName).map(([, value]) => value);
    const { source, secret, verified } = verifyWithAny(secrets, header, body, clock.now(), toleranceMs);
    if (verified.ok) return { ok: true, source };
    const { reason, message } = verified;
    if (reason === 'header-missing')
      return { ok: false, reason, message, told: `${message}${likely(headers)}` };
    const told = isGenuine(reason) ? message : mismatch(secret, body, header, message);
    return { ok: false, reason, message, told: `${told}${remedy(reason, headers)}` };
  };
}

/** The time is judged last. */
const isGenuine = (reason: VerifyFault): boolean =>
  reason === 'timestamp-too-old' || reason === 'timestamp-in-future';

/** Of a name that a stranger may have sent, only one that no shell reads otherwise is put on a command line. */
const plain = /^[A-Za-z][\w-]{0,63}$/;

/** Assumption `signature-header`: the service's own name for it is not shown. */
function likely(headers: Headers): string {
  const named = headers.filter(([name]) => plain.test(name));
  const [found] = named.find(([, value]) => parseSignatureHeader(value).ok) ?? [];
  if (found !== undefined) return `; ${found} has the form of one: give it as --signature-header ${found}`;
  const [similar] =
    named.find(([name]) => /signature/i.test(name)) ?? named.find(([, value]) => holdsHash.test(value)) ?? [];
  return similar === undefined
    ? ''
    : `; ${similar} may be one in another form: --signature-header ${similar} says what differs from t=<seconds>,v1=<hex>`;
}

/** 32 bytes in hexadecimal. */
const holdsHash = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/i;

/** What to do about what came between the service and here. */
function remedy(reason: VerifyFault, headers: Headers): string {
  switch (reason) {
    case 'header-duplicated':
    case 'timestamp-duplicated':
      return '; a proxy or tunnel on the way may add it a second time';
    case 'timestamp-too-old':
      return '; --tolerance allows more';
    case 'signature-mismatch':
      return encodingOf(headers);
    default:
      return '';
  }
}

function encodingOf(headers: Headers): string {
  const [, encoding = ''] = headers.find(([name]) => name.toLowerCase() === 'content-encoding') ?? [];
  return /^(identity)?$/i.test(encoding.trim())
    ? ''
    : `; the body came compressed (Content-Encoding: ${encoding.slice(0, 32)}), perhaps by a proxy or tunnel after it was signed`;
}

interface Judged {
  readonly source: string;
  readonly secret: string;
  readonly verified: Verified;
}

function verifyWithAny(
  secrets: ReadonlyMap<string, string>,
  header: readonly string[],
  body: Uint8Array,
  now: number,
  toleranceMs: number | null,
): Judged {
  let first: Judged | null = null;
  for (const [source, secret] of secrets) {
    const verified = verify({ secret, body, header, now, toleranceMs });
    // A signature that matches and is only too old tells more than a mismatch under another secret.
    if (verified.ok || verified.reason.startsWith('timestamp-')) return { source, secret, verified };
    first ??= { source, secret, verified };
  }
  if (first === null) throw new TypeError('a listener needs a secret');
  return first;
}
