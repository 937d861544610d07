/** One exchange with an application, within its time: what it takes, what it ends with, and who may end it. */
import { type Clock, timerDelay } from '../../clock.ts';
import { certificateFaultOf, ownAuthority } from '../../errors/certificates.ts';
import type { PendingExchange } from '../../plain/connection-pool.ts';

export interface OutgoingPost {
  readonly url: string;
  readonly body: Uint8Array;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Bound on the whole exchange. Milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type PostResult =
  | { readonly status: number; readonly ms: number; readonly body: Uint8Array; readonly error?: undefined }
  | {
      /** In words: `refused the connection`, `did not answer within 30 s`. */
      readonly error: string;
      readonly ms: number;
      /** False if no connection was made, so that nothing reached the application. */
      readonly reached: boolean;
      readonly status?: undefined;
    };

/** Whether nothing reached the application, so that it knows nothing of the event. */
export const isUnreached = (result: PostResult): boolean => result.status === undefined && !result.reached;

/** `stale`: it went out on a kept connection that the application closed, apparently before reading anything. */
type ExchangeResult = PostResult | 'stale';

/** Called by whoever carries an exchange, once. */
export interface ExchangeHandler {
  answered(status: number, body: Uint8Array): void;
  failed(error: string): void;
  stale(): void;
}

/** Whoever closes a kept connection only after holding a request this long has read it. Milliseconds. */
const staleWithinMs = 5_000;

/** Runs one exchange within its time. Never rejects, and ignores whatever is told after the end. */
export function runExchange(
  clock: Pick<Clock, 'monotonic'>,
  { timeoutMs, signal }: Pick<OutgoingPost, 'timeoutMs' | 'signal'>,
  begin: (handler: ExchangeHandler) => PendingExchange,
): Promise<ExchangeResult> {
  const startedAt = clock.monotonic();
  const elapsed = () => Math.round((clock.monotonic() - startedAt) * 100) / 100;
  return new Promise((resolve) => {
    let done = false;
    const finish = (ended: ExchangeResult) => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      resolve(ended);
    };
    const fail = (error: string) => {
      if (done) return;
      finish({ error, ms: elapsed(), reached: pending.reached() });
      pending.leave();
    };
    const abort = () => fail(stoppedUnanswered);
    const pending = begin({
      answered: (status, body) => finish({ status, ms: elapsed(), body }),
      failed: fail,
      stale: () => (elapsed() < staleWithinMs ? finish('stale') : fail(closedUnanswered)),
    });
    const late = () =>
      fail(
        `${pending.begun() ? 'did not finish its answer' : 'did not answer'} within ${timeoutMs / 1000} s`,
      );
    const timer = setTimeout(late, timerDelay(timeoutMs));
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
  });
}

const codeOf = (cause: unknown): string =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : 'unknown';

/** Whether a connection broke, rather than anything else. */
export const isConnectionBroken = (cause: unknown): boolean =>
  ['ECONNRESET', 'EPIPE'].includes(codeOf(cause));

/** It may have taken what was sent: nobody waited for its answer. */
export const stoppedUnanswered = 'had not answered when pixctl stopped';

export const closedUnanswered = 'closed the connection without an answer';

export function describeConnectionError(cause: unknown): string {
  const code = codeOf(cause);
  const refused = certificateFaultOf(code);
  if (refused !== null) {
    const remedy = refused.what === 'stranger' ? `; ${ownAuthority} adds it, or its authority` : '';
    return `has a TLS certificate that ${refused.is} (${code}${remedy})`;
  }
  switch (code) {
    case 'ECONNREFUSED':
      return 'refused the connection';
    case 'ECONNRESET':
    case 'EPIPE':
      return closedUnanswered;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'has a name that does not resolve';
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'is not reachable';
    case 'EPROTO':
      return 'does not speak TLS there (EPROTO)';
    case 'HPE_CR_EXPECTED':
      return 'ended a line of its answer with LF alone; HTTP requires CR LF';
    default:
      if (code.startsWith('HPE_')) return `sent an answer that is not HTTP (${code})`;
      return code === 'unknown' && cause instanceof Error ? cause.message : `failed (${code})`;
  }
}

/** Describes an answer that broke off after its beginning. */
export const describeBrokenAnswer = (cause: unknown): string => `broke off its answer (${codeOf(cause)})`;
