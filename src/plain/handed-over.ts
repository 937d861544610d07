/** What a `node:http` server needs that never listens, but is handed the connections that are not plain. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** How long a client that was not understood may take to read why. Milliseconds. */
export const lingerMs = 2_000;

/** How much of a body that nobody wants is read and dropped, in bytes, and for how long. */
const mostDropped = 64 * 1024 * 1024;
const longestDropMs = 10_000;

/** Node's error for a request that it could not read. */
export type UnreadableRequestError = Error & { readonly code?: string; readonly rawPacket?: Uint8Array };

/**
 * @param unreadable the whole answer if no request could be read; it ends the connection
 * @param onUnreadable receives the cause of each such answer
 */
export function prepareForHandover(
  server: Server,
  unreadable: string,
  onUnreadable: (cause: UnreadableRequestError) => void = () => {},
): void {
  const lastWhole = lastWholeOf(server);
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (cause, socket) => {
    if (!socket.writable) return void socket.destroy();
    if (refused.has(socket)) return;
    refused.add(socket);
    onUnreadable(cause);
    const refuse = () => {
      if (!socket.writable) return;
      // The socket may not be read any more, so its end would never be noticed.
      socket.end(unreadable);
      setTimeout(() => socket.destroy(), lingerMs).unref();
    };
    // A request that came whole before takes effect, so its own answer is due first: this one would be taken for it.
    const before = lastWhole(socket);
    if (before === undefined) refuse();
    else whenOver(before, refuse);
  });
  // A client that ends its half after the request still gets its answer, as on a plain connection. Not in Node's types.
  Object.assign(server, { httpAllowHalfOpen: true });
  // At this event, Node starts looking for requests that are too slow.
  server.emit('listening');
}

/** For a connection: the answer still due to its last whole request. */
function lastWholeOf(server: Server): (socket: Duplex) => ServerResponse | undefined {
  const due = new WeakMap<Duplex, [IncomingMessage, ServerResponse][]>();
  const note = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const others = (due.get(socket) ?? []).filter(([, other]) => !isOver(other));
    due.set(socket, [...others, [request, response]]);
  };
  for (const event of ['request', 'checkExpectation'] as const) server.prependListener(event, note);
  return (socket) => due.get(socket)?.findLast(([request, it]) => request.complete && !isOver(it))?.[1];
}

/**
 * Returns a listener that calls `serve` for a connection's next request only once the last one has been answered:
 * `node:http` reads pipelined requests at once, and a list would not show what was created just before it.
 */
export function answerInOrder(serve: RequestListener): RequestListener {
  const last = new WeakMap<Duplex, ServerResponse>();
  return (request, response) => {
    const { socket } = request;
    const before = last.get(socket);
    last.set(socket, response);
    if (before === undefined || isOver(before)) serve(request, response);
    // A client that has gone meanwhile did not see the previous answer, so its later requests have no effect either.
    else whenOver(before, () => void (socket.destroyed || serve(request, response)));
  };
}

/**
 * Ends an answer that was written before its request had come whole, but only after the rest of that, which is dropped
 * within bounds. Many clients read nothing before they have sent everything: they would find the connection broken, and
 * no answer.
 */
export function endAfterRequest(response: ServerResponse): void {
  const { req: request } = response;
  let left = mostDropped;
  const drop = ({ length }: Buffer) => {
    left -= length;
    if (left < 0) end();
  };
  const end = () => {
    clearTimeout(timer);
    request.off('data', drop).off('close', end);
    // Node would go on reading the rest, and then refuse the request a second time.
    if (!request.complete) response.once('finish', () => request.socket.destroySoon());
    response.end();
  };
  const timer = setTimeout(end, longestDropMs).unref();
  request.on('data', drop).once('close', end).resume();
}

const isOver = (response: ServerResponse): boolean => response.writableFinished || response.destroyed;

/** Calls `then` once: when the answer has been sent, or its client has gone. */
function whenOver(response: ServerResponse, then: () => void): void {
  const over = () => {
    response.off('finish', over).off('close', over);
    then();
  };
  response.once('finish', over).once('close', over);
}
