/**
 * One connection, from its first request on. As long as requests are plain, they are read here, one after another, and
 * answered by `serve`, now or later; the first that is not plain takes the connection over to `node:http`, for good.
 * Half of what `node:http` does for a request is for things that a plain one does not have.
 */
import type { Socket } from 'node:net';
import { lingerMs } from './handed-over.ts';
import { isWrittenOver, readIntoSharedBuffer } from './read-into.ts';
import { type LastFields, noFields, type PlainRequest, readPlainRequest } from './request.ts';

export interface ConnectionParts {
  /** The body of the request is valid only until this returns: what comes next overwrites it. */
  readonly serve: (request: PlainRequest, exchange: ServerExchange) => void;
  /** Which plain requests are for `node:http` anyway. */
  readonly needsNodeHttp: (request: PlainRequest) => boolean;
  /** Takes over the connection, with `unread` before whatever is still to come. */
  readonly handOver: (socket: Socket, unread: Buffer) => void;
  /** The answer to a request that does not arrive whole; null for none. */
  readonly unreadable: string | null;
  /** In bytes; requests with larger bodies are for `node:http`. */
  readonly bodyLimit: number;
  /** How long a request may take to arrive, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** How long an idle connection is kept, in seconds. */
  readonly keepAliveSeconds: number;
  /** Milliseconds since the epoch, on the machine's clock. */
  readonly now: () => number;
}

/** The request under way, for whoever answers it by writing to the socket and then calling `finish`. */
export interface ServerExchange {
  readonly socket: Socket;
  readonly now: () => number;
  /** False once it has been answered, or the client is gone. */
  isOpen(): boolean;
  /** How many seconds the connection is kept after the answer; null: it is closed. */
  keepAliveSeconds(): number | null;
  /** Call it once the answer is written. It keeps or closes the connection as `keptFor` said. */
  finish(keptFor: number | null): void;
}

export interface Connection {
  /** Ends the connection, now if nothing is under way, otherwise after the answer. */
  end(): void;
}

/** How much longer than announced a connection is kept, for requests that are on their way. As `node:http` does. */
const graceMs = 1_000;

/** The fields of the previous connection: clients that open one per request send the same fields on each. */
let latest: LastFields = noFields();

/** @param answered whether it has had an answer already, and waits for its next request */
export function serveConnection(parts: ConnectionParts, socket: Socket, answered = false): Connection {
  const last = { ...latest };
  latest = last;
  const keptMs = parts.keepAliveSeconds * 1_000 + graceMs;
  let unread: Buffer | null = null;
  /** `left`: nothing more is read here; the connection is with `node:http`, or given up. */
  let state: 'idle' | 'reading' | 'answering' | 'unheard' | 'left' = 'idle';
  /** When the request under way began to arrive. */
  let since = 0;
  /** Whether the client wants the connection kept after the request under way. */
  let keepAlive = true;
  /** Whether the client has ended its half of the connection. */
  let clientEnded = false;
  /** Whether `end` was called: no further request is read. */
  let ended = false;
  let served = answered;
  let looking = false;

  const exchange: ServerExchange = {
    socket,
    now: parts.now,
    isOpen: () => state === 'answering' && !socket.destroyed,
    keepAliveSeconds: () =>
      !keepAlive || ended || (clientEnded && unread === null) ? null : parts.keepAliveSeconds,
    finish(keptFor) {
      state = 'unheard';
      if (keptFor === null) return void socket.destroySoon();
      // A client that does not read its answers gets no more of them: they would pile up here.
      if (socket.writableLength > 0 && socket.writableNeedDrain) socket.once('drain', goOn);
      else goOn();
    },
  };
  const take = (chunk: Buffer) => {
    unread = unread === null ? chunk : Buffer.concat([unread, chunk]);
    if (state === 'idle' || state === 'reading') next();
    else holdBack();
    if (unread !== null && isWrittenOver(unread)) unread = Buffer.from(unread);
  };
  /** A loop, because many requests are answered before `one` returns, and the calls must not nest on the stack. */
  const next = () => {
    if (looking) return;
    looking = true;
    while (one() && state === 'idle' && (unread !== null || clientEnded || ended));
    looking = false;
  };
  /** Returns whether there was a request to answer here. */
  const one = (): boolean => {
    if (ended || (unread === null && clientEnded)) socket.end();
    else if (unread !== null) {
      const request = readPlainRequest(unread, last, parts.bodyLimit);
      if (request === 'more' && !clientEnded) wait();
      else if (typeof request === 'string' || parts.needsNodeHttp(request)) leave(unread);
      else {
        answer(request);
        return true;
      }
    }
    return false;
  };
  const wait = () => {
    if (state === 'idle') {
      state = 'reading';
      since = parts.now();
      socket.setTimeout(parts.requestTimeoutMs);
    } else if (parts.now() - since > parts.requestTimeoutMs) giveUp();
  };
  const answer = (request: PlainRequest) => {
    if (state === 'reading' || !served) socket.setTimeout(keptMs);
    state = 'answering';
    served = true;
    keepAlive = request.fields.keepAlive;
    unread = unread === null || unread.length === request.end ? null : unread.subarray(request.end);
    parts.serve(request, exchange);
    if (state === 'answering' && unread !== null) holdBack();
  };
  /**
   * Stops reading. What is waiting may be for `node:http`, which can take over a connection only while its end has not
   * been read. So whatever follows stays with the system, where a flood cannot fill our memory.
   */
  const holdBack = () => void socket.pause();
  const goOn = () => {
    state = 'idle';
    if (socket.isPaused()) socket.resume();
    next();
  };
  const leave = (bytes: Buffer) => {
    if (clientEnded) return giveUp();
    state = 'left';
    socket.setTimeout(0);
    takeNoMore();
    socket.off('end', hearEnd).off('timeout', late).pause();
    parts.handOver(socket, Buffer.from(bytes));
  };
  const giveUp = () => {
    state = 'left';
    if (parts.unreadable === null) socket.destroy();
    else {
      socket.end(parts.unreadable);
      // Its end may never be seen, where the client does not read.
      socket.setTimeout(lingerMs);
    }
  };
  const hearEnd = () => {
    clientEnded = true;
    if (state === 'idle' || state === 'reading') next();
  };
  const late = () => {
    if (state === 'answering' && !socket.writableEnded) return;
    if (!socket.writableEnded && (state === 'reading' || !served)) giveUp();
    else socket.destroy();
  };

  socket.setTimeout(answered ? keptMs : parts.requestTimeoutMs);
  // A client that goes away need not be told anything.
  socket.on('error', () => {});
  socket.on('end', hearEnd).on('timeout', late);
  const takeNoMore = readIntoSharedBuffer(socket, take);
  return {
    end() {
      ended = true;
      if (state === 'idle' || state === 'reading') socket.end();
    },
  };
}
