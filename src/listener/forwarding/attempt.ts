/** The bytes and headers of one attempt: as received the first time, signed again later. */
import { isSuccessStatus } from '../../forward/forward.ts';
import type { PostResult } from '../posting/post.ts';
import type { ForwardOutcome, Headers, OwedEvent } from '../store.ts';

interface PreparedAttempt {
  readonly headers: Headers;
  readonly signature: 'original' | 'fresh';
}

/**
 * Applications check the age of `t`, so after this long even a first forward is signed again. So is one whose `t` is in
 * the future because the clock was set back.
 */
const originalSignatureMs = 120_000;

export function prepareAttempt(
  owed: Pick<OwedEvent, 'attempts' | 'receivedAt' | 'headers' | 'body'>,
  now: number,
  signatureHeader: string,
  /** Returns the signature header's value for this body, signed now; null if the secret is not known. */
  sign: () => string | null,
): PreparedAttempt {
  const young = owed.attempts === 0 && Math.abs(now - owed.receivedAt) <= originalSignatureMs;
  const value = young ? null : sign();
  if (value === null) return { headers: owed.headers, signature: 'original' };
  return { headers: withSignature(owed.headers, signatureHeader, value), signature: 'fresh' };
}

/** What was sent, and what came of it. */
export interface SentAttempt {
  readonly url: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly prepared: PreparedAttempt;
  readonly result: PostResult;
}

interface AttemptFacts extends Omit<ForwardOutcome, 'state' | 'nextAt' | 'failures'> {}

/** Returns what is recorded of an attempt, whatever becomes of the event. */
export const toAttemptFacts = (
  { key }: Pick<OwedEvent, 'key'>,
  number: number,
  { url, startedAt, prepared, result }: SentAttempt,
): AttemptFacts => ({
  key,
  number,
  url,
  startedAt,
  signature: prepared.signature,
  ms: result.ms,
  status: result.status ?? null,
  error: result.error ?? null,
  answer: refusalTextOf(result),
});

/** Bytes kept of an answer: enough to see why an event was refused. */
const maxAnswerBytes = 4_096;

/** Returns what was said about a refusal, as text that any database accepts; null if nothing was. */
export function refusalTextOf({
  status = 200,
  body,
}: PostResult & { readonly body?: Uint8Array }): string | null {
  if (isSuccessStatus(status) || body === undefined || body.byteLength === 0) return null;
  return new TextDecoder().decode(body.subarray(0, maxAnswerBytes)).replaceAll('\0', '\ufffd');
}

/** Returns the headers with exactly one signature header, in the place of the first. */
export function withSignature(headers: Headers, name: string, value: string): Headers {
  const isSignature = ([header]: readonly [string, string]) => header.toLowerCase() === name.toLowerCase();
  const at = headers.findIndex(isSignature);
  const spelling = headers[at]?.[0] ?? name;
  const rest = headers.filter((header) => !isSignature(header));
  return rest.toSpliced(at < 0 ? rest.length : at, 0, [spelling, value]);
}
