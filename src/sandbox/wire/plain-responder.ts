/** What an exchange needs of a plain request, and how to answer one: the counterpart of `responder.ts`. */
import { type Headers, writeHead } from '../../plain/answer.ts';
import type { ServerExchange } from '../../plain/connection.ts';
import type { PlainRequest } from '../../plain/request.ts';
import type { EarlyClient } from '../../plain/reserved-port.ts';
import { type AnswerBody, headRoom, retainBody } from './answer-body.ts';
import { parseBody } from './body.ts';
import { firstHalf, type IncomingRequest, type Responder } from './responder.ts';

/** Adapts a plain request. Its body must be asked for at once (see `ConnectionParts.serve`). */
export const fromPlainRequest = ({ method, target, fields, body }: PlainRequest): IncomingRequest => ({
  method,
  target,
  authorization: fields.authorization,
  hasBody: body.length > 0,
  body: (done) => done(parseBody(fields.contentType, body)),
});

export function createPlainResponder(exchange: ServerExchange): Responder {
  const { socket, now } = exchange;
  const send = (head: string, body: AnswerBody, done?: () => void) => {
    const { bytes, from, to } = body;
    const start = from - head.length;
    if (head.length > headRoom) socket.write(head, 'latin1');
    else bytes.write(head, start, 'latin1');
    socket.write(bytes.subarray(head.length > headRoom ? from : start, to), done);
    if (socket.writableLength > 0) retainBody(body);
  };
  return {
    answer(status, headers, body) {
      if (socket.destroyed) return;
      const keptFor = exchange.keepAliveSeconds();
      send(
        writeHead({ status, headers, length: body.to - body.from, keepAliveSeconds: keptFor, now: now() }),
        body,
      );
      exchange.finish(keptFor);
    },
    truncate(status, headers, body) {
      const length = body.to - body.from;
      const head = writeHead({
        status,
        headers,
        length,
        keepAliveSeconds: exchange.keepAliveSeconds(),
        now: now(),
      });
      send(head, firstHalf(body), () => socket.destroy());
      if (socket.writableLength > 0) retainBody(body);
    },
    reset: () => void socket.resetAndDestroy(),
    destroy: () => void socket.destroy(),
  };
}

/** The same before `node:net` is loaded. `keptFor`: see `Head`. */
export function createEarlyResponder(
  client: EarlyClient,
  keptFor: number | null,
  now: () => number,
): Responder {
  const bytesOf = (status: number, headers: Headers, length: number, { bytes, from, to }: AnswerBody) => {
    const head = writeHead({ status, headers, length, keepAliveSeconds: keptFor, now: now() });
    return Buffer.concat([Buffer.from(head, 'latin1'), bytes.subarray(from, to)]);
  };
  return {
    answer: (status, headers, body) =>
      client.answer(bytesOf(status, headers, body.to - body.from, body), keptFor !== null),
    truncate: (status, headers, body) =>
      client.answer(bytesOf(status, headers, body.to - body.from, firstHalf(body)), false),
    reset: client.reset,
    destroy: client.close,
  };
}
