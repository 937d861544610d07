/**
 * Decides whose a delivery is, by verifying its raw bytes under each secret of this listener, or says why it is
 * nobody's.
 */
import type { Clock } from '../../clock.ts';
import { explainVerification } from '../../contract/signature/explain.ts';
import { type Verified, type VerifyFault, verify } from '../../contract/signature.ts';
import type { Headers } from '../store.ts';
import { missingSignatureHint, rejectionHint } from './rejection-hints.ts';

export interface DeliveryVerifierOptions {
  readonly clock: Clock;
  /** Secrets of endpoints that are not this listener's, although their deliveries may arrive here. */
  readonly otherSecrets: () => readonly OtherSecret[];
  readonly signatureHeader: string;
  /** Null: accept any `t`. */
  readonly toleranceMs: number | null;
}

/** A secret that a refused delivery may be signed with, and what to say if it is. */
export interface OtherSecret {
  readonly secret: string;
  readonly description: string;
}

type VerificationResult =
  | { readonly ok: true; readonly source: string }
  /** `message` is for the sender. `operatorMessage` is for whoever runs this listener, and may say more. */
  | {
      readonly ok: false;
      readonly reason: string;
      readonly message: string;
      readonly operatorMessage: string;
    };

/** Judges a delivery. `secrets`: by their fingerprints, at least one. */
type VerifyDelivery = (
  secrets: ReadonlyMap<string, string>,
  headers: Headers,
  body: Uint8Array,
) => VerificationResult;

const explainLimit = 64 * 1024;
const minExplainIntervalMs = 200;
/** An explanation holds up every delivery, so strangers get at most a twentieth of the time. */
const restFactor = 20;

export function createDeliveryVerifier({
  clock,
  otherSecrets,
  signatureHeader,
  toleranceMs,
}: DeliveryVerifierOptions): VerifyDelivery {
  const headerName = signatureHeader.toLowerCase();
  let nextExplainAt = Number.NEGATIVE_INFINITY;

  /** Says whose it is if it belongs to another endpoint; otherwise why it is nobody's. */
  function describeMismatch(
    secret: string,
    body: Uint8Array,
    header: readonly string[],
    message: string,
  ): string {
    const isTheirs = (other: string) =>
      verify({ secret: other, body, header, now: clock.now(), toleranceMs }).ok;
    const theirs = otherSecrets().find((other) => isTheirs(other.secret));
    return theirs === undefined
      ? explainMismatch(secret, body, header, message)
      : `${message}: it is ${theirs.description}`;
  }

  /** Says which step differs, if a usual mistake explains it. Rationed, because a stranger may be sending. */
  function explainMismatch(
    secret: string,
    body: Uint8Array,
    header: readonly string[],
    message: string,
  ): string {
    const begun = clock.monotonic();
    if (body.byteLength > explainLimit || begun < nextExplainAt) return message;
    const { cause } = explainVerification({ secret, body, header, now: clock.now(), toleranceMs });
    const ended = clock.monotonic();
    nextExplainAt = ended + Math.max(minExplainIntervalMs, restFactor * (ended - begun));
    return cause === null ? message : `${message}: ${cause}`;
  }

  return (secrets, headers, body) => {
    const header = headers.filter(([name]) => isNamed(name, headerName)).map(([, value]) => value);
    const { source, secret, verified } = verifyWithAny(secrets, header, body, clock.now(), toleranceMs);
    if (verified.ok) return { ok: true, source };
    const { reason, message } = verified;
    if (reason === 'header-missing')
      return {
        ok: false,
        reason,
        message,
        operatorMessage: `${message}${missingSignatureHint(headers, signatureHeader)}`,
      };
    const reasonText = isTimestampFault(reason) ? message : describeMismatch(secret, body, header, message);
    return { ok: false, reason, message, operatorMessage: `${reasonText}${rejectionHint(reason, headers)}` };
  };
}

/** Compares names without case. Most have another length, and need not be lowercased for every delivery. */
const isNamed = (name: string, lower: string): boolean =>
  name.length === lower.length && name.toLowerCase() === lower;

/** Whether the signature itself matched: the time is judged last. */
const isTimestampFault = (reason: VerifyFault): boolean =>
  reason === 'timestamp-too-old' || reason === 'timestamp-in-future';

interface SecretCheck {
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
): SecretCheck {
  let first: SecretCheck | null = null;
  for (const [source, secret] of secrets) {
    const verified = verify({ secret, body, header, now, toleranceMs });
    // A signature that matches and is only too old says more than a mismatch under another secret.
    if (verified.ok || verified.reason.startsWith('timestamp-')) return { source, secret, verified };
    first ??= { source, secret, verified };
  }
  if (first === null) throw new TypeError('a listener needs a secret');
  return first;
}
