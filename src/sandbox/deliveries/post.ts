/**
 * One POST to an endpoint over a fresh connection: a kept-alive one may be closed by the far side just as
 * we send, and that would be taken for a failed attempt. Redirects are not followed.
 */
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import type { AttemptOutcome } from '../delivery-policy.ts';

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Real milliseconds until the attempt counts as timed out (document: 10 seconds). */
  readonly timeoutMs: number;
  /** Ends the attempt early: the sandbox is closing. */
  readonly signal: AbortSignal;
}

export interface Posted {
  readonly outcome: AttemptOutcome;
  /** What came back, bounded; null when nothing did. */
  readonly response: Reply | null;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The first 4 KiB, as text. */
  readonly body: string;
}

const keptBytes = 4_096;
/** The status decides; the body is for people, and an endless one must not hold anything up. */
const bodyPatienceMs = 1_000;

export function post({ url, headers, body, timeoutMs, signal }: Post): Promise<Posted> {
  const { promise, resolve } = Promise.withResolvers<Posted>();
  const request = url.startsWith('https:') ? requestTls : requestPlain;
  const sent = request(url, {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'content-length': String(body.byteLength), connection: 'close' },
  });
  const settle = (outcome: AttemptOutcome, response: Reply | null = null) => {
    clearTimeout(deadline);
    signal.removeEventListener('abort', aborted);
    resolve({ outcome, response });
    sent.destroy();
  };
  const aborted = () => settle({ kind: 'interrupted' });
  const deadline = setTimeout(() => settle({ kind: 'timeout' }), timeoutMs);
  signal.addEventListener('abort', aborted, { once: true });

  const failed = (reason: string) => settle({ kind: 'network', reason });
  sent.on('error', (error: NodeJS.ErrnoException) => failed(error.code ?? error.message));
  sent.on('close', () => failed('the connection was closed without an answer'));
  sent.on('response', (answer) => {
    clearTimeout(deadline);
    const status = answer.statusCode ?? 0;
    const chunks: Buffer[] = [];
    let size = 0;
    const done = () => {
      clearTimeout(patience);
      const text = Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8');
      settle({ kind: 'answered', status }, { status, headers: flat(answer.headersDistinct), body: text });
    };
    const patience = setTimeout(done, bodyPatienceMs);
    // From here on the end of the connection is the end of the body, whether it was complete or not.
    sent.removeAllListeners('close').removeAllListeners('error').on('error', done).on('close', done);
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= keptBytes) done();
    });
    answer.on('end', done);
    answer.on('error', done);
  });
  if (signal.aborted) aborted();
  else sent.end(body);
  return promise;
}

const flat = (headers: NodeJS.Dict<string[]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, 50)
      .map(([name, values]) => [name, (values ?? []).join(', ').slice(0, 1_024)]),
  );
