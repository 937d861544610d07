/**
 * Repeats reads (docs/requests.md): only a GET, and only if it did not reach the service, was cut off, or was answered
 * with 429 (after its Retry-After), with 5xx, or with a web page and 2xx. If an answer took longer than the deadline,
 * the request is not repeated.
 */
import type { Clock } from '../clock.ts';
import { isReplaced } from '../errors.ts';
import type { Exchange, Reply } from './exchange.ts';
import { GiveUpError } from './open-exchange.ts';

export interface RetryPolicy {
  /** How many tries in total. */
  readonly attempts: number;
  /** The first delay in milliseconds; doubled each time, half of it random. */
  readonly baseMs: number;
  /** No single wait is longer than this; if a Retry-After is, the caller gets the answer instead. */
  readonly maxMs: number;
  /** In [0, 1). */
  readonly random: () => number;
}

export const readPolicy: RetryPolicy = { attempts: 4, baseMs: 250, maxMs: 15_000, random: Math.random };

interface Bounds {
  /** No try begins later than this after the first. Milliseconds. */
  readonly withinMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Runs `attempt` until another try would not help, and returns the last exchange; interrupted, that it was. */
export async function withRetries(
  attempt: () => Promise<Exchange>,
  clock: Clock,
  policy: RetryPolicy,
  { withinMs = Number.POSITIVE_INFINITY, signal }: Bounds,
): Promise<Exchange> {
  const begun = clock.monotonic();
  for (let tried = 1; ; tried++) {
    const exchange = await attempt();
    if (tried >= policy.attempts || !isPassing(exchange)) return exchange;
    const retryAfterMs = exchange.kind === 'reply' ? retryAfter(exchange.reply, clock.now()) : null;
    const delay = retryAfterMs ?? policy.baseMs * 2 ** (tried - 1) * (0.5 + policy.random() / 2);
    if (delay > policy.maxMs || clock.monotonic() - begun + delay > withinMs) return exchange;
    await clock.sleep(delay, signal);
    // Like an interruption in the middle of a try: the answer before it is not why the run ends.
    if (signal?.aborted) return { kind: 'lost', cause: new GiveUpError('ABORTED', signal.reason) };
  }
}

/** Whether asking again may help. */
function isPassing(exchange: Exchange): boolean {
  if (exchange.kind === 'reply') {
    return exchange.reply.status === 429 || exchange.reply.status >= 500 || isHtmlSuccess(exchange.reply);
  }
  const { code, name } = exchange.cause as { code?: string; name?: string };
  if (name === 'PixctlError' || code === undefined || isReplaced(exchange.cause)) return false;
  return !['DEADLINE', 'ABORTED', 'TOO_LARGE'].includes(code) && !/CERT|SELF_SIGNED|VERIFY/.test(code);
}

const isHtmlSuccess = (reply: Reply) => reply.status < 300 && isHtml(reply);

/** Whether it is a web page, from a proxy or a portal: never the service's own answer. */
export const isHtml = (reply: Reply): boolean =>
  /^text\/html\b/i.test(String(reply.headers['content-type'] ?? ''));

/** `Retry-After`, in seconds or as an HTTP date, as milliseconds from now; null if there is none. */
export function retryAfter(reply: Reply, now: number): number | null {
  const value = reply.headers['retry-after'];
  if (typeof value !== 'string') return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  if (!/^[A-Z][a-z]{2}, /.test(value)) return null;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
