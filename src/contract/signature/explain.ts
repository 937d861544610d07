/**
 * Explains step by step why a signature does or does not hold. On a mismatch it tries the usual mistakes (the secret as
 * it was pasted, the body as a framework rewrote it, another way of signing) and names the one that yields the
 * signature; if none does, the result says so.
 */
import { timingSafeEqual } from 'node:crypto';
import { type Verified, type VerifyInput, verify } from '../signature.ts';
import { type BodyVariant, bodyRemarks, bodyVariants } from './bodies.ts';
import { parseSignatureHeader } from './header.ts';
import { digest, rawDigest } from './hmac.ts';

export interface ExplainedStep {
  readonly step: 'header' | 'secret' | 'body' | 'signature' | 'time';
  /** `unknown`: could not be judged, because an earlier step failed. */
  readonly verdict: 'ok' | 'wrong' | 'odd' | 'unknown';
  readonly text: string;
}

export interface SignatureExplanation {
  readonly verified: Verified;
  /** The mistake that explains a mismatch; null if no known one does. */
  readonly cause: string | null;
  readonly steps: readonly ExplainedStep[];
}

/** Checks as `verify` does, and says how each step went. Throws TypeError on misuse only. */
export function explainVerification(input: VerifyInput): SignatureExplanation {
  const verified = verify(input);
  const timeless = verify({ ...input, toleranceMs: null });
  const cause = timeless.ok ? null : findCause(input);
  const remarks = bodyRemarks(bytesOf(input.body));
  return {
    verified,
    cause,
    steps: [
      headerStep(input),
      secretStep(input.secret, timeless.ok),
      { step: 'body', verdict: remarks.odd && !timeless.ok ? 'odd' : 'ok', text: remarks.text },
      signatureStep(timeless, cause),
      timeStep(verified, timeless),
    ],
  };
}

function headerStep({ header }: VerifyInput): ExplainedStep {
  const parsed = parseSignatureHeader(header);
  if (!parsed.ok) return { step: 'header', verdict: 'wrong', text: parsed.message };
  const many = parsed.signatures.length === 1 ? 'one signature' : `${parsed.signatures.length} signatures`;
  return { step: 'header', verdict: 'ok', text: `t is ${parsed.t}, with ${many}` };
}

function secretStep(secret: string, matched: boolean): ExplainedStep {
  const odd = secretOddity(secret);
  if (matched || odd === null)
    return { step: 'secret', verdict: matched ? 'ok' : 'unknown', text: `${secret.length} characters` };
  return { step: 'secret', verdict: 'odd', text: odd };
}

function secretOddity(secret: string): string | null {
  if (/[\r\n]$/.test(secret)) return 'it ends with a line break';
  if (secret.trim() !== secret) return 'it begins or ends with white space';
  if (/^(["']).*\1$/.test(secret)) return 'it is in quotes';
  if (assigned(secret) !== secret) return 'it begins with the name of a variable, as in an .env file';
  if (/^svc_/.test(secret)) return 'it looks like an API key, not like a signing secret';
  return null;
}

function signatureStep(timeless: Verified, cause: string | null): ExplainedStep {
  if (timeless.ok)
    return { step: 'signature', verdict: 'ok', text: 'it was made from this body with this secret' };
  if (cause !== null) return { step: 'signature', verdict: 'wrong', text: cause };
  if (timeless.reason !== 'signature-mismatch')
    return { step: 'signature', verdict: 'unknown', text: 'the header holds no signature to compare' };
  return {
    step: 'signature',
    verdict: 'wrong',
    text: 'it was made with another secret, of another body, or with another t; none of the usual mistakes explains it',
  };
}

function timeStep(verified: Verified, timeless: Verified): ExplainedStep {
  if (!timeless.ok)
    return { step: 'time', verdict: 'unknown', text: 'means nothing without a signature that verifies' };
  const at = isoTime(timeless.timestamp);
  return verified.ok
    ? { step: 'time', verdict: 'ok', text: `signed at ${at}` }
    : { step: 'time', verdict: 'wrong', text: `${verified.message}; t is ${at}` };
}

/** From Unix seconds, of which a header holds at most twelve digits. */
const isoTime = (seconds: number): string =>
  `${new Date(seconds * 1_000).toISOString().slice(0, -'.000Z'.length)}Z`;

/** Tries the usual mistakes in all combinations of one of each kind, and names the simplest that fits. */
function findCause({ secret, body, header }: VerifyInput): string | null {
  const text = [header ?? []].flat().join(',').slice(0, 4096);
  const wanted = signaturesIn(text);
  if (wanted.length === 0) return null;
  const t = /(?:^|,)\s*t=(\d{1,16})/.exec(text)?.[1] ?? null;
  const bodies = bodyVariants(bytesOf(body));
  const headerSaid = parseSignatureHeader(header).ok ? null : 'only the header is written wrongly';
  const fits = (candidate: Buffer): boolean => wanted.some((one) => timingSafeEqual(one, candidate));
  for (const [secretSaid, key] of secretVariants(secret))
    for (const variant of bodies) {
      const form = findForm(key, t, variant.bytes, fits);
      if (form !== undefined) return said(secretSaid, variant, form ?? headerSaid);
    }
  return null;
}

/** What is unusual about how t and the body were joined to be signed: null if nothing is, undefined if no way fits. */
function findForm(
  key: string | Uint8Array,
  t: string | null,
  body: Uint8Array,
  fits: (candidate: Buffer) => boolean,
): string | null | undefined {
  if (t !== null && fits(digest(key, t, body))) return null;
  if (fits(rawDigest(key, body))) return 'it signs the body alone, without "<t>." before it';
  if (t !== null && fits(rawDigest(key, Buffer.concat([Buffer.from(t), body]))))
    return 'it lacks the dot between t and the body';
  return undefined;
}

const said = (secretSaid: string | null, variant: BodyVariant, form: string | null): string =>
  [form, secretSaid, variant.said].filter((part) => part !== null).join('; and ');

/** Finds everything in the header that could be 32 bytes: hexadecimal, or base64. */
function signaturesIn(text: string): Buffer[] {
  const hex = [...text.matchAll(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/gi)].map(([found]) =>
    Buffer.from(found, 'hex'),
  );
  const base64 = [...text.matchAll(/(?<![\w+/-])[\w+/-]{43}=/g)].map(([found]) =>
    Buffer.from(found, 'base64'),
  );
  return [...hex, ...base64].filter((bytes) => bytes.length === 32).slice(0, 8);
}

/** What a secret turns into on its way through editors, shells and other schemes. */
function secretVariants(secret: string): [said: string | null, key: string | Uint8Array][] {
  const bare = secret.replace(/^whsec_/, '');
  const variants: [string | null, string | Uint8Array][] = [
    [null, secret],
    ['the secret in use has white space around it that the signer does not have', secret.trim()],
    ['the signer uses the secret with a line break at its end', `${secret}\n`],
    ['the signer uses the secret with a line break at its end', `${secret}\r\n`],
    ['the secret in use is in quotes', secret.replace(/^(["'])(.*)\1$/s, '$2')],
    ['the secret in use has the name of a variable before it, as in an .env file', assigned(secret)],
    ['the signer uses the secret without its whsec_ prefix: give it without', bare],
    ['the signer uses the secret with a whsec_ prefix', `whsec_${secret}`],
    [
      'the signer reads the secret as base64, which its document does not show, and pixctl reads it as text only',
      Buffer.from(bare, 'base64'),
    ],
    [
      'the signer reads the secret as hexadecimal, which its document does not show, and pixctl reads it as text only',
      Buffer.from(bare, 'hex'),
    ],
  ];
  return variants.filter(
    ([, key], index) =>
      key.length > 0 &&
      (typeof key !== 'string' || variants.findIndex(([, other]) => other === key) === index),
  );
}

const bytesOf = (body: Uint8Array | string): Uint8Array =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body;

/** The value of `NAME=value` or `export NAME="value"`; any other text as it is. */
const assigned = (text: string): string =>
  text.replace(/^\s*(?:export\s+)?[A-Za-z_]\w*=(["']?)([^=].*)\1\s*$/s, '$2');
