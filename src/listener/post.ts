/**
 * One POST of exact bytes to an application, told as facts: never rejects, follows no redirect, reads a
 * bounded part of the answer, ends within its timeout.
 */
import {
  type ClientRequestArgs,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import type { Clock } from '../clock.ts';
import { isThisMachine } from './target.ts';

export interface OutgoingPost {
  readonly url: string;
  readonly body: Uint8Array;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Bound on the whole exchange, milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type PostResult =
  | { readonly status: number; readonly ms: number; readonly body: Uint8Array; readonly error?: undefined }
  | {
      /** In words: `refused the connection`, `did not answer within 30 s`. */
      readonly error: string;
      readonly ms: number;
      /** False when no connection was made: nothing reached the application. */
      readonly reached: boolean;
      readonly status?: undefined;
    };

export type Post = (post: OutgoingPost) => Promise<PostResult>;

/** Bytes kept of an application's answer; the rest is read and dropped. */
const answerLimit = 64 * 1024;

/** Connections are kept alive between posts; `close` ends them. */
export function createPost(clock: Clock, { connections = 64 } = {}): { post: Post; close: () => void } {
  const agents = {
    http: new HttpAgent({ keepAlive: true, maxSockets: connections, keepAliveMsecs: 1000, timeout: 4000 }),
    https: new HttpsAgent({ keepAlive: true, maxSockets: connections, keepAliveMsecs: 1000, timeout: 4000 }),
  };
  const post: Post = async (outgoing) => {
    const first = await exchange(clock, agents, outgoing);
    // A kept connection that the application had just closed: nothing was read, so ask once on a new one.
    return first === 'stale' ? await exchangeFresh(clock, outgoing) : first;
  };
  return {
    post,
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

async function exchangeFresh(clock: Clock, outgoing: OutgoingPost): Promise<PostResult> {
  const result = await exchange(clock, { http: undefined, https: undefined }, outgoing);
  return result === 'stale' ? { error: 'closed the connection', ms: 0, reached: true } : result;
}

interface Agents {
  readonly http: HttpAgent | undefined;
  readonly https: HttpsAgent | undefined;
}

function exchange(clock: Clock, agents: Agents, outgoing: OutgoingPost): Promise<PostResult | 'stale'> {
  const startedAt = clock.monotonic();
  const elapsed = () => Math.round((clock.monotonic() - startedAt) * 100) / 100;
  return new Promise((resolve) => {
    const { secure, host, options: place } = placeOf(outgoing.url);
    const headers = [...withoutConnection(outgoing.headers)];
    headers.push(['Host', host], ['Content-Length', String(outgoing.body.byteLength)]);
    const agent = (secure ? agents.https : agents.http) ?? false;
    const options = { ...place, method: 'POST', agent, headers: headers.flat(), setHost: false };
    let reached = false;
    let done = false;
    const finish = (result: PostResult | 'stale') => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      outgoing.signal?.removeEventListener('abort', abort);
      resolve(result);
    };
    const fail = (error: string) => {
      finish({ error, ms: elapsed(), reached });
      request.destroy();
    };
    const abort = () => fail('stopped before an answer came');
    const request = (secure ? httpsRequest : httpRequest)(options, (answer) => {
      readBounded(answer).then(
        (body) => finish({ status: answer.statusCode ?? 0, ms: elapsed(), body }),
        (cause) => fail(`broke off its answer (${codeOf(cause)})`),
      );
    });
    const timer = setTimeout(
      () => fail(`did not answer within ${outgoing.timeoutMs / 1000} s`),
      outgoing.timeoutMs,
    );
    outgoing.signal?.addEventListener('abort', abort, { once: true });
    if (outgoing.signal?.aborted) abort();
    request.on('socket', (socket) => {
      if (!socket.connecting) reached = true;
      else socket.once('connect', () => (reached = true));
    });
    request.on('error', (cause) => {
      if (request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(codeOf(cause))) return finish('stale');
      fail(inWords(cause));
    });
    request.end(outgoing.body);
  });
}

/** Where an address leads, read once: it is the same for nearly every post. */
function placeOf(address: string): Place {
  if (last.address === address) return last;
  const url = new URL(address);
  const secure = url.protocol === 'https:';
  const options = {
    ...urlToHttpOptions(url),
    ...(secure ? { rejectUnauthorized: !isThisMachine(url.hostname) } : {}),
  };
  last = { address, secure, host: url.host, options };
  return last;
}

interface Place {
  readonly address: string;
  readonly secure: boolean;
  readonly host: string;
  readonly options: ClientRequestArgs;
}

let last: Place = { address: '', secure: false, host: '', options: {} };

/** Headers that belong to one connection, and those that the request itself decides (RFC 9110 7.6.1). */
const ownHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const withoutConnection = (headers: OutgoingPost['headers']): (readonly [string, string])[] =>
  headers.filter(([name]) => !ownHeaders.has(name.toLowerCase()));

function readBounded(answer: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    answer.on('data', (chunk: Buffer) => {
      if (length < answerLimit) chunks.push(chunk.subarray(0, answerLimit - length));
      length += chunk.byteLength;
      // An endless answer would hold the exchange until its timeout: the status is known, so leave.
      if (length > 64 * answerLimit) {
        finish();
        answer.destroy();
      }
    });
    answer.on('end', finish).on('error', reject);
  });
}

const codeOf = (cause: unknown): string =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : 'unknown';

function inWords(cause: unknown): string {
  const code = codeOf(cause);
  switch (code) {
    case 'ECONNREFUSED':
      return 'refused the connection';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'closed the connection without an answer';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'has a name that does not resolve';
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'is not reachable';
    default:
      return code === 'unknown' && cause instanceof Error ? cause.message : `failed (${code})`;
  }
}
