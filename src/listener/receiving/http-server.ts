/** Reads and answers, by `node:http`, deliveries that are not plain and everything that is no delivery. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { hasBody } from '../../plain/answer.ts';
import type { ConnectionLimiter } from '../../plain/connection-limiter.ts';
import { endAfterRequest, prepareForHandover } from '../../plain/handed-over.ts';
import type { RejectedReport } from '../report.ts';
import type { Headers } from '../store.ts';
import { probeUserAgent } from '../tunnel/probe.ts';
import { createBodyReader, type ReadBody } from './read-body.ts';
import { createRejectedReport, type Receiver } from './receive.ts';
import { describeUnreadable } from './rejection-hints.ts';
import { findRequestProblem, type RequestProblem, unmetExpectation } from './request-problem.ts';

export interface HttpOptions {
  /** Only POSTs to this path are deliveries. Null: any path. */
  readonly path: string | null;
  readonly signatureHeader: string;
  readonly receiver: Pick<Receiver, 'receive'>;
  /** The answer to a GET, which shows that an address leads to this very listener and to its path. */
  readonly instance: string;
  readonly onRejected: (report: RejectedReport) => void;
  /** Called on a GET of that path that is not pixctl's own, such as a service may send to try an address. */
  readonly onProbe: () => void;
  readonly onTrouble: (cause: unknown) => void;
  readonly limiter: Pick<ConnectionLimiter, 'requestStarted' | 'requestRefused'>;
}

/** The service waits 10 s for an answer, so anything that takes longer to arrive is not a delivery. Milliseconds. */
export const timeouts = { request: 20_000, headers: 10_000, idle: 65_000 } as const;

/** Largest body accepted, bytes. Events are small, and a stranger may be sending. */
const bodyLimit = 1024 * 1024;
const bodyLimits = { each: bodyLimit, small: 64 * 1024, together: 64 * bodyLimit };

const badRequestResponse = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

export const notStoredBody = '{"error":"not stored: send it again"}';

/** Makes the server. It never listens: connections are handed to it. */
export function createHttpServer(options: HttpOptions): Server {
  const readBody = createBodyReader(bodyLimits);
  const server = createServer(
    {
      requestTimeout: timeouts.request,
      headersTimeout: timeouts.headers,
      keepAliveTimeout: timeouts.idle,
      connectionsCheckingInterval: 2_000,
      requireHostHeader: false,
    },
    (request, response) => {
      handle(options, readBody, request, response).catch((cause: unknown) => {
        options.onTrouble(cause);
        reply(response, 500, notStoredBody);
      });
    },
  );
  server.on('checkExpectation', (_request, response: ServerResponse) =>
    refuse(options, response, unmetExpectation),
  );
  prepareForHandover(server, badRequestResponse, (cause) => {
    const message = describeUnreadable(cause);
    if (message !== null) options.onRejected(createRejectedReport('not-http', message, 400));
  });
  return server;
}

async function handle(
  options: HttpOptions,
  readBody: ReadBody,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { method, url = '/' } = request;
  const problem = findRequestProblem(request, options.signatureHeader);
  if (problem !== null) {
    request.resume();
    return refuse(options, response, problem);
  }
  if (method === 'GET' || method === 'HEAD') {
    request.resume();
    const isHere = isAtPath(options.path, url);
    if (isHere && request.headers['user-agent'] !== probeUserAgent) options.onProbe();
    const elsewhere = isHere ? {} : { accepts: options.path };
    const answer = { pixctl: 'listening', instance: options.instance, ...elsewhere };
    return reply(response, 200, JSON.stringify(answer));
  }
  if (!isAtPath(options.path, url)) {
    request.resume();
    const message = `a POST came to the path ${pathIn(url).slice(0, 200)}, not to ${options.path}`;
    options.onRejected(createRejectedReport('wrong-path', message, 404));
    return reply(response, 404, '{"error":"no deliveries are accepted at this path"}');
  }
  const body = await readBody(request);
  if (body === 'aborted') return;
  if (body === 'too-large') {
    options.onRejected(createRejectedReport('too-large', `the body is larger than ${bodyLimit} bytes`, 413));
    return replyEarly(response, 413, '{"error":"the body is too large"}');
  }
  if (body === 'no-room') {
    options.onRejected(createRejectedReport('no-room', 'too many large bodies came at once', 503));
    return replyEarly(response, 503, notStoredBody);
  }
  options.limiter.requestStarted(request.socket);
  const answer = await options.receiver.receive(toHeaderPairs(request.rawHeaders), body);
  if (answer.refused) options.limiter.requestRefused(request.socket);
  reply(response, answer.status, answer.body);
}

function refuse(
  { onRejected }: Pick<HttpOptions, 'onRejected'>,
  response: ServerResponse,
  { reason, message, status }: RequestProblem,
): void {
  onRejected(createRejectedReport(reason, message, status));
  if (status === 405) response.setHeader('Allow', 'GET, HEAD, POST');
  else response.setHeader('Connection', 'close');
  reply(response, status, JSON.stringify({ error: status === 405 ? 'deliveries are POSTs' : message }));
}

/** Answers before the body has come whole, and closes the connection once the rest has been dropped. */
function replyEarly(response: ServerResponse, status: number, body: string): void {
  if (response.destroyed) return;
  writeHead(response.setHeader('Connection', 'close'), status, body).write(body);
  endAfterRequest(response);
}

function reply(response: ServerResponse, status: number, body: string): void {
  if (response.destroyed) return;
  writeHead(response, status, body).end(body);
}

function writeHead(response: ServerResponse, status: number, body: string): ServerResponse {
  const length = hasBody(status) ? { 'Content-Length': Buffer.byteLength(body) } : {};
  return response.writeHead(status, { 'Content-Type': 'application/json', ...length });
}

function toHeaderPairs(raw: readonly string[]): Headers {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    headers.push([raw[index] as string, raw[index + 1] as string]);
  }
  return headers;
}

export const isAtPath = (path: string | null, target: string): boolean =>
  path === null || pathIn(target) === path;

/** A proxy may send the whole address, which every server has to accept (RFC 9112 3.2.2). */
const pathIn = (target: string): string => target.replace(/^https?:\/\/[^/?]*/i, '').replace(/\?.*/s, '');
