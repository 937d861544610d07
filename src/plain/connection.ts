/**
 * One connection, from its first request on. As long as what comes is plain it is read and answered here, one
 * request after another; the first that is not takes the connection over to `node:http`, for good. Half the work
 * of `node:http` for a request goes into what a plain one does not have.
 */
import type { Socket } from 'node:net';
import { type Headers, hasBody, writeHead } from './answer.ts';
import { isWrittenOver, readInto } from './read-into.ts';
import { noFields, type PlainRequest, readPlain } from './request.ts';

export interface PlainParts {
  readonly serve: (request: PlainRequest, reply: PlainReply) => void;
  /** Which requests are for `node:http` all the same. */
  readonly isOther: (request: PlainRequest) => boolean;
  /** Takes the connection, with `unread` in front of what is still to come. */
  readonly handOver: (socket: Socket, unread: Buffer) => void;
  /** Bytes; larger ones are for `node:http`. */
  readonly bodyLimit: number;
  /** Milliseconds that a request may take to arrive. */
  readonly requestTimeoutMs: number;
  /** Seconds that an idle connection is kept. */
  readonly keepAliveSeconds: number;
  /** Milliseconds since the epoch, on the machine's clock. */
  readonly now: () => number;
}

/** Answers once, without the body where the status allows none; silent when the client is gone. */
export type PlainReply = (status: number, headers: Headers, body: string) => void;

export interface PlainConnection {
  /** Ends it now where nothing is under way, else after the answer. */
  end(): void;
}

/** What arrives while a request is being answered; of more, the client is made to wait. */
const waitingLimit = 64 * 1024;

export function serveConnection(parts: PlainParts, socket: Socket): PlainConnection {
  const last = noFields();
  let unread: Buffer | null = null;
  let state: 'idle' | 'reading' | 'answering' | 'unheard' | 'left' = 'idle';
  /** When the request under way began to arrive. */
  let since = 0;
  /** The client has said all. */
  let said = false;
  /** We wish no more. */
  let ended = false;
  let served = false;

  const take = (chunk: Buffer) => {
    unread = unread === null ? chunk : Buffer.concat([unread, chunk]);
    if (state === 'idle' || state === 'reading') next();
    else if (unread.length > waitingLimit) socket.pause();
    if (unread !== null && isWrittenOver(unread)) unread = Buffer.from(unread);
  };
  const next = () => {
    if (ended || (unread === null && said)) return void socket.end();
    if (unread === null) return;
    const request = readPlain(unread, last, parts.bodyLimit);
    if (request === 'more' && !said) wait();
    else if (typeof request === 'string' || parts.isOther(request)) leave(unread);
    else answer(request, unread);
  };
  const wait = () => {
    if (state === 'idle') {
      state = 'reading';
      since = parts.now();
      socket.setTimeout(parts.requestTimeoutMs);
    } else if (parts.now() - since > parts.requestTimeoutMs) socket.destroy();
  };
  const answer = (request: PlainRequest, bytes: Buffer) => {
    if (state === 'reading' || !served) socket.setTimeout(parts.keepAliveSeconds * 1_000);
    state = 'answering';
    served = true;
    unread = bytes.length === request.end ? null : bytes.subarray(request.end);
    const { body: sent } = request;
    const kept = isWrittenOver(sent) ? { ...request, body: Buffer.from(sent) } : request;
    parts.serve(kept, (status, headers, text) => {
      if (socket.destroyed || state !== 'answering') return;
      const body = hasBody(status) ? text : null;
      const length = body === null ? null : Buffer.byteLength(body);
      const isLast = !request.fields.keepAlive || ended || (said && unread === null);
      const keptFor = isLast ? null : parts.keepAliveSeconds;
      const head = writeHead({ status, headers, length, keptFor, now: parts.now() });
      socket.write(head + (body ?? ''), length === body?.length ? 'latin1' : 'utf8');
      state = 'unheard';
      if (isLast) return void socket.destroySoon();
      // Who does not read is not answered any further: what is not read would lie here.
      if (socket.writableLength > 0 && socket.writableNeedDrain) socket.once('drain', goOn);
      else goOn();
    });
  };
  const goOn = () => {
    state = 'idle';
    if (socket.isPaused()) socket.resume();
    next();
  };
  const leave = (bytes: Buffer) => {
    if (said) return void socket.destroy();
    state = 'left';
    socket.setTimeout(0);
    takeNoMore();
    socket.off('end', hearEnd).off('timeout', late).pause();
    parts.handOver(socket, isWrittenOver(bytes) ? Buffer.from(bytes) : bytes);
  };
  const hearEnd = () => {
    said = true;
    if (state === 'idle' || state === 'reading') next();
  };
  const late = () => {
    if (state !== 'answering') socket.destroy();
  };

  socket.setTimeout(parts.requestTimeoutMs);
  // Whoever goes away has nothing to be told.
  socket.on('error', () => {});
  socket.on('end', hearEnd).on('timeout', late);
  const takeNoMore = readInto(socket, take);
  return {
    end() {
      ended = true;
      if (state === 'idle' || state === 'reading') socket.end();
    },
  };
}
