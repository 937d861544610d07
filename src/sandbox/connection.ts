/**
 * One connection, from its first request on. As long as what comes is plain it is answered here, one request
 * after another; the first that is not takes the connection over to `node:http`, for good.
 */
import type { Socket } from 'node:net';
import { writeHead } from '../plain/answer.ts';
import { noFields, type PlainRequest, readPlain } from '../plain/request.ts';
import { type AnswerBody, headRoom, lendBody } from './answer-body.ts';
import { bodyLimit, wholeBody } from './body.ts';
import { isWrittenOver, readInto } from '../plain/read-into.ts';
import { type Asked, firstHalf, type Reply } from './reply.ts';

export interface ConnectionParts {
  readonly exchange: (asked: Asked, reply: Reply) => void;
  /** Whether this target is for `node:http`: the control plane. */
  readonly isOther: (target: string) => boolean;
  /** Takes the connection, with `unread` in front of what is still to come. */
  readonly handOver: (socket: Socket, unread: Buffer) => void;
  /** The answer where no request could be read; ends the connection. */
  readonly unreadable: string;
  /** Milliseconds that a request may take to arrive. */
  readonly requestTimeoutMs: number;
  /** Milliseconds since the epoch, on the machine's clock. */
  readonly now: () => number;
}

/** Seconds that an idle connection is kept. */
const keepAliveSeconds = 5;
/** What arrives while a request is being answered; of more, the client is made to wait. */
const waitingLimit = 64 * 1024;

export function serveConnection(parts: ConnectionParts, socket: Socket): void {
  const last = noFields();
  let unread: Buffer | null = null;
  let state: 'idle' | 'reading' | 'answering' | 'unheard' = 'idle';
  let served = false;
  let ended = false;
  let looking = false;

  const take = (chunk: Buffer) => {
    unread = unread === null ? chunk : Buffer.concat([unread, chunk]);
    if (state === 'idle' || state === 'reading') next();
    else if (unread.length > waitingLimit) socket.pause();
    if (unread !== null && isWrittenOver(unread)) unread = Buffer.from(unread);
  };
  /** Most are answered before `one` returns: the next one must not lie on the stack of the last. */
  const next = () => {
    if (looking) return;
    looking = true;
    while (one() && state === 'idle' && (unread !== null || ended));
    looking = false;
  };
  /** Whether there was one to be answered here. */
  const one = (): boolean => {
    const request = unread === null ? null : readPlain(unread, last, bodyLimit);
    if (request === null || unread === null) {
      if (ended) socket.end();
    } else if (request === 'more' && state === 'idle' && !ended) {
      state = 'reading';
      socket.setTimeout(parts.requestTimeoutMs);
    } else if (typeof request === 'string' || parts.isOther(request.target)) leave(unread);
    else {
      answer(request);
      return true;
    }
    return false;
  };
  const answer = (request: PlainRequest) => {
    const { fields, body, method, target, end } = request;
    if (state === 'reading' || !served) socket.setTimeout((keepAliveSeconds + 1) * 1_000);
    state = 'answering';
    served = true;
    unread = unread === null || unread.length === end ? null : unread.subarray(end);
    const { authorization, contentType } = fields;
    const asked = {
      method,
      target,
      authorization,
      body: (done) => done(wholeBody(contentType, body)),
    } as Asked;
    parts.exchange(asked, reply(fields.keepAlive ? keepAliveSeconds : null));
  };
  const send = (head: string, body: AnswerBody, done?: () => void) => {
    const { bytes, from, to } = body;
    const start = from - head.length;
    if (head.length > headRoom) socket.write(head, 'latin1');
    else bytes.write(head, start, 'latin1');
    socket.write(bytes.subarray(head.length > headRoom ? from : start, to), done);
    if (socket.writableLength > 0) lendBody(body);
  };
  const reply = (keptFor: number | null): Reply => ({
    answer(status, headers, body) {
      if (socket.destroyed) return;
      const length = body.to - body.from;
      send(writeHead({ status, headers, length, keptFor, now: parts.now() }), body);
      if (keptFor === null) return socket.destroySoon();
      // Who does not read is not answered any further: what is not read would lie here.
      if (socket.writableLength > 0 && socket.writableNeedDrain) {
        state = 'unheard';
        socket.once('drain', goOn);
      } else goOn();
    },
    cut(status, headers, body) {
      const head = { status, headers, length: body.to - body.from, keptFor, now: parts.now() };
      send(writeHead(head), firstHalf(body), () => socket.destroy());
    },
    reset: () => void socket.resetAndDestroy(),
    destroy: () => void socket.destroy(),
  });
  const goOn = () => {
    state = 'idle';
    if (socket.isPaused()) socket.resume();
    if (unread !== null || ended) next();
  };
  const leave = (bytes: Buffer) => {
    if (ended) return void socket.end(parts.unreadable);
    socket.setTimeout(0);
    takeNoMore();
    socket.off('end', end).off('timeout', late).pause();
    parts.handOver(socket, Buffer.from(bytes));
  };
  const end = () => {
    ended = true;
    if (state === 'idle' || state === 'reading') next();
  };
  const late = () => {
    if (state === 'answering' && !socket.writableEnded) return;
    if (!socket.writableEnded && (state === 'reading' || !served)) socket.end(parts.unreadable);
    else socket.destroy();
  };

  socket.setTimeout(parts.requestTimeoutMs);
  // Whoever goes away has nothing to be told.
  socket.on('error', () => {});
  socket.on('end', end).on('timeout', late);
  const takeNoMore = readInto(socket, take);
}
