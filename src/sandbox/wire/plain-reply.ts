/** What an exchange needs of a plain request, and how to answer one: the counterpart of `reply.ts`. */
import { type Headers, writeHead } from '../../plain/answer.ts';
import type { Exchange } from '../../plain/connection.ts';
import type { Caller } from '../../plain/door.ts';
import type { PlainRequest } from '../../plain/request.ts';
import { type AnswerBody, headRoom, lendBody } from './answer-body.ts';
import { wholeBody } from './body.ts';
import { type Asked, firstHalf, type Reply } from './reply.ts';

/** Adapts a plain request. Its body must be asked for at once (see `ConnectionParts.serve`). */
export const askedPlainly = ({ method, target, fields, body }: PlainRequest): Asked => ({
  method,
  target,
  authorization: fields.authorization,
  sendsBody: body.length > 0,
  body: (done) => done(wholeBody(fields.contentType, body)),
});

export function replyPlainly(exchange: Exchange): Reply {
  const { socket, now } = exchange;
  const send = (head: string, body: AnswerBody, done?: () => void) => {
    const { bytes, from, to } = body;
    const start = from - head.length;
    if (head.length > headRoom) socket.write(head, 'latin1');
    else bytes.write(head, start, 'latin1');
    socket.write(bytes.subarray(head.length > headRoom ? from : start, to), done);
    if (socket.writableLength > 0) lendBody(body);
  };
  return {
    answer(status, headers, body) {
      if (socket.destroyed) return;
      const keptFor = exchange.keptFor();
      send(writeHead({ status, headers, length: body.to - body.from, keptFor, now: now() }), body);
      exchange.answered(keptFor);
    },
    cut(status, headers, body) {
      const length = body.to - body.from;
      const head = writeHead({ status, headers, length, keptFor: exchange.keptFor(), now: now() });
      send(head, firstHalf(body), () => socket.destroy());
      if (socket.writableLength > 0) lendBody(body);
    },
    reset: () => void socket.resetAndDestroy(),
    destroy: () => void socket.destroy(),
  };
}

/** The same before `node:net` is loaded. `keptFor`: see `Head`. */
export function replyAtDoor(caller: Caller, keptFor: number | null, now: () => number): Reply {
  const bytesOf = (status: number, headers: Headers, length: number, { bytes, from, to }: AnswerBody) => {
    const head = writeHead({ status, headers, length, keptFor, now: now() });
    return Buffer.concat([Buffer.from(head, 'latin1'), bytes.subarray(from, to)]);
  };
  return {
    answer: (status, headers, body) =>
      caller.answer(bytesOf(status, headers, body.to - body.from, body), keptFor !== null),
    cut: (status, headers, body) =>
      caller.answer(bytesOf(status, headers, body.to - body.from, firstHalf(body)), false),
    reset: caller.reset,
    destroy: caller.close,
  };
}
