/** What an exchange needs of a request, and how it answers; and both for what `node:http` has read. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Headers } from '../../plain/answer.ts';
import type { AnswerBody } from './answer-body.ts';
import { type Body, readBody, tooLarge } from './body.ts';

/** A request as it was read, whoever read it. */
export interface Asked {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly authorization: string | undefined;
  /** Whether a body comes, be it wanted or not. */
  readonly sendsBody: boolean;
  /** Hands over the body, once, or never when the client went away. */
  readonly body: (done: (body: Body) => void) => void;
}

/** One of its methods is called, once; or none, and the client waits. Each is silent when the client is gone. */
export interface Reply {
  answer(status: number, headers: Headers, body: AnswerBody): void;
  /** The first half of the answer's body, then the connection is destroyed. */
  cut(status: number, headers: Headers, body: AnswerBody): void;
  /** The connection is reset. */
  reset(): void;
  /** The connection is destroyed. */
  destroy(): void;
}

export const askedOf = (target: string, message: IncomingMessage, response: ServerResponse): Asked => ({
  method: message.method ?? 'GET',
  target: target.replace(ofProxies, ''),
  authorization: everyAuthorization(message),
  sendsBody: announcesBody(message.headers),
  body: (done) =>
    readBody(message, (body) => {
      if (body === tooLarge) response.setHeader('connection', 'close');
      done(body);
    }),
});

/** Node keeps the first of several; two of them are no token (document: "invalid"), whichever a server would take. */
const everyAuthorization = (message: IncomingMessage): string | undefined =>
  message.headersDistinct.authorization?.join(', ');

/** In front of a target as proxies are asked for it; every server has to take that (RFC 9112, 3.2.2). */
const ofProxies = /^https?:\/\/[^/?#]+(?=\/)/i;

/** Some clients send even an empty body in chunks: only one that tells its type is taken for a body. */
const announcesBody = (headers: IncomingHttpHeaders): boolean =>
  Number(headers['content-length'] ?? 0) > 0 ||
  (headers['transfer-encoding'] !== undefined && headers['content-type'] !== undefined);

/**
 * Who is refused before all of the body has come is told at once; but the connection ends only after the rest, which is
 * dropped. Many clients read nothing before they have sent all: they would find it broken, and no answer.
 */
export function replyBy(response: ServerResponse): Reply {
  const begin = (status: number, headers: Headers, { from, to }: AnswerBody) =>
    response.writeHead(status, { ...headers, 'content-length': to - from });
  return {
    answer(status, headers, body) {
      const { req: request } = response;
      const begun = begin(status, headers, body);
      if (request.complete || !announcesBody(request.headers)) return void begun.end(copyOf(body));
      begun.write(copyOf(body));
      request.once('close', () => begun.end()).resume();
    },
    cut(status, headers, body) {
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
  lent: false,
});
