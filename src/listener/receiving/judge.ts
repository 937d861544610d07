/**
 * Decides whose a delivery is, by verifying its raw bytes under each secret of this listener, or says why it is
 * nobody's.
 */
import type { Clock } from '../../clock.ts';
import { explain } from '../../contract/signature/explain.ts';
import { type Verified, type VerifyFault, verify } from '../../contract/signature.ts';
import type { Headers } from '../store.ts';
import { otherHeader, remedy } from './rejection-hints.ts';

export interface JudgeOptions {
  readonly clock: Clock;
  /** Secrets of endpoints that are not this listener's, although their deliveries may arrive here. */
  readonly others: () => readonly OtherSecret[];
  readonly signatureHeader: string;
  /** Null: accept any `t`. */
  readonly toleranceMs: number | null;
}

/** A secret that a refused delivery may be signed with, and what to say if it is. */
export interface OtherSecret {
  readonly secret: string;
  readonly told: string;
}

export type Judgement =
  | { readonly ok: true; readonly source: string }
  /** `message` is for the sender. `told` is for whoever runs this listener, and may say more. */
  | { readonly ok: false; readonly reason: string; readonly message: string; readonly told: string };

/** Judges a delivery. `secrets`: by their fingerprints, at least one. */
export type Judge = (secrets: ReadonlyMap<string, string>, headers: Headers, body: Uint8Array) => Judgement;

const explainLimit = 64 * 1024;
const explainEveryMs = 200;
/** An explanation holds up every delivery, so strangers get at most a twentieth of the time. */
const restAfter = 20;

export function createJudge({ clock, others, signatureHeader, toleranceMs }: JudgeOptions): Judge {
  const headerName = signatureHeader.toLowerCase();
  let explainsFrom = Number.NEGATIVE_INFINITY;

  /** Says whose it is if it belongs to another endpoint; otherwise why it is nobody's. */
  function mismatch(secret: string, body: Uint8Array, header: readonly string[], message: string): string {
    const isTheirs = (other: string) =>
      verify({ secret: other, body, header, now: clock.now(), toleranceMs }).ok;
    const theirs = others().find((other) => isTheirs(other.secret));
    return theirs === undefined ? why(secret, body, header, message) : `${message}: it is ${theirs.told}`;
  }

  /** Says which step differs, if a usual mistake explains it. Rationed, because a stranger may be sending. */
  function why(secret: string, body: Uint8Array, header: readonly string[], message: string): string {
    const begun = clock.monotonic();
    if (body.byteLength > explainLimit || begun < explainsFrom) return message;
    const { cause } = explain({ secret, body, header, now: clock.now(), toleranceMs });
    const ended = clock.monotonic();
    explainsFrom = ended + Math.max(explainEveryMs, restAfter * (ended - begun));
    return cause === null ? message : `${message}: ${cause}`;
  }

  return (secrets, headers, body) => {
    const header = headers.filter(([name]) => isNamed(name, headerName)).map(([, value]) => value);
    const { source, secret, verified } = verifyWithAny(secrets, header, body, clock.now(), toleranceMs);
    if (verified.ok) return { ok: true, source };
    const { reason, message } = verified;
    if (reason === 'header-missing')
      return { ok: false, reason, message, told: `${message}${otherHeader(headers, signatureHeader)}` };
    const told = isGenuine(reason) ? message : mismatch(secret, body, header, message);
    return { ok: false, reason, message, told: `${told}${remedy(reason, headers)}` };
  };
}

/** Compares names without case. Most have another length, and need not be lowercased for every delivery. */
const isNamed = (name: string, lower: string): boolean =>
  name.length === lower.length && name.toLowerCase() === lower;

/** Whether the signature itself matched: the time is judged last. */
const isGenuine = (reason: VerifyFault): boolean =>
  reason === 'timestamp-too-old' || reason === 'timestamp-in-future';

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
    // A signature that matches and is only too old says more than a mismatch under another secret.
    if (verified.ok || verified.reason.startsWith('timestamp-')) return { source, secret, verified };
    first ??= { source, secret, verified };
  }
  if (first === null) throw new TypeError('a listener needs a secret');
  return first;
}
