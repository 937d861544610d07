/** The bytes and headers of one attempt: as they came the first time, signed again later. */
import type { Headers, Owed } from './store.ts';

export interface Prepared {
  readonly headers: Headers;
  readonly signature: 'original' | 'fresh';
}

/** An application checks how old `t` is: after this long, even a first forward is signed again. */
const originalForMs = 120_000;

export function prepareAttempt(
  owed: Pick<Owed, 'attempts' | 'receivedAt' | 'headers' | 'body'>,
  now: number,
  signatureHeader: string,
  /** The value of the signature header for this body, signed now; null where the secret is not known. */
  sign: () => string | null,
): Prepared {
  const young = owed.attempts === 0 && now - owed.receivedAt <= originalForMs;
  const value = young ? null : sign();
  if (value === null) return { headers: owed.headers, signature: 'original' };
  return { headers: withSignature(owed.headers, signatureHeader, value), signature: 'fresh' };
}

/** The headers with exactly one signature header, in the place of the first. */
export function withSignature(headers: Headers, name: string, value: string): Headers {
  const isSignature = ([header]: readonly [string, string]) => header.toLowerCase() === name.toLowerCase();
  const at = headers.findIndex(isSignature);
  const spelling = headers[at]?.[0] ?? name;
  const rest = headers.filter((header) => !isSignature(header));
  return rest.toSpliced(at < 0 ? rest.length : at, 0, [spelling, value]);
}
