/** What an exchange needs of a request, and how it answers; and both for what `node:http` has read. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Headers } from '../../plain/answer.ts';
import { endAfterRequest } from '../../plain/handed-over.ts';
import type { AnswerBody } from './answer-body.ts';
import { type Body, readBody, tooLargeBody } from './body.ts';

/** A request, whoever read it. */
export interface IncomingRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly authorization: string | undefined;
  /** Whether a body is coming, wanted or not. */
  readonly hasBody: boolean;
  /** Hands over the body once; never if the client has gone away. */
  readonly body: (done: (body: Body) => void) => void;
}

/** One of its methods is called, once, or none, and the client waits. Each does nothing if the client is gone. */
export interface Responder {
  answer(status: number, headers: Headers, body: AnswerBody): void;
  /** Sends the first half of the answer's body, then destroys the connection. */
  truncate(status: number, headers: Headers, body: AnswerBody): void;
  /** Resets the connection. */
  reset(): void;
  /** Destroys the connection. */
  destroy(): void;
}

export const fromHttpRequest = (
  target: string,
  message: IncomingMessage,
  response: ServerResponse,
): IncomingRequest => ({
  method: message.method ?? 'GET',
  target: target.replace(ofProxies, ''),
  authorization: everyAuthorization(message),
  hasBody: announcesBody(message.headers),
  body: (done) =>
    readBody(message, (body) => {
      if (body === tooLargeBody) response.setHeader('connection', 'close');
      done(body);
    }),
});

/**
 * Joins repeated headers, of which Node keeps the first: two are no token (document: "invalid"), whichever a server
 * picked.
 */
const everyAuthorization = (message: IncomingMessage): string | undefined =>
  message.headersDistinct.authorization?.join(', ');

/**
 * Matches what precedes the path when a target is written as for a proxy, which every server must accept (RFC 9112,
 * 3.2.2).
 */
const ofProxies = /^https?:\/\/[^/?#]+(?=\/)/i;

/**
 * Whether a body is coming. Some clients send even an empty body in chunks, so a chunked one counts only with a type.
 */
const announcesBody = (headers: IncomingHttpHeaders): boolean =>
  Number(headers['content-length'] ?? 0) > 0 ||
  (headers['transfer-encoding'] !== undefined && headers['content-type'] !== undefined);

/**
 * Makes the reply for a `node:http` response. Whoever is refused before the whole body has arrived is answered at once,
 * but the connection ends only after the rest.
 */
export function createHttpResponder(response: ServerResponse): Responder {
  const begin = (status: number, headers: Headers, { from, to }: AnswerBody) =>
    response.writeHead(status, { ...headers, 'content-length': to - from });
  return {
    answer(status, headers, body) {
      const { req: request } = response;
      const begun = begin(status, headers, body);
      if (request.complete || !announcesBody(request.headers)) return void begun.end(copyOf(body));
      begun.write(copyOf(body));
      endAfterRequest(begun);
    },
    truncate(status, headers, body) {
      begin(status, headers, body).write(copyOf(firstHalf(body)), () => response.destroy());
    },
    reset: () => void response.socket?.resetAndDestroy(),
    destroy: () => void response.destroy(),
  };
}

const copyOf = ({ bytes, from, to }: AnswerBody): Buffer => Buffer.from(bytes.subarray(from, to));

export const firstHalf = ({ bytes, from, to }: AnswerBody): AnswerBody => ({
  bytes,
  from,
  to: Math.floor((from + to) / 2),
  isRetained: false,
});
