/**
 * The sandbox on a socket: only the documented routes at `/`, and everything that drives the world under `/__sandbox/`,
 * loaded on first use. Plain requests are read and answered by `plain/`, because others run their tests over this path,
 * and because loading `node:http` takes a good part of a start. Everything else goes to a `node:http` server that is
 * created when it is needed.
 */
import type { Server as HttpServer, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock } from '../../clock.ts';
import { PixctlError } from '../../errors.ts';
import { openFilesRemedy } from '../../flags/open-files.ts';
import { type ConnectionParts, serveConnection } from '../../plain/connection.ts';
import { connectionLimitsFor, createConnectionLimiter } from '../../plain/connection-limiter.ts';
import { answerInOrder, prepareForHandover } from '../../plain/handed-over.ts';
import { noFields, readPlainRequest } from '../../plain/request.ts';
import type { ReservedPort } from '../../plain/reserved-port.ts';
import { assumedRefusal } from '../rules/refusal.ts';
import type { World } from '../world/world.ts';
import { bodyLimit } from './body.ts';
import { failureText } from './envelope.ts';
import { type ExchangeParts, handleRequest } from './exchange.ts';
import { createEarlyResponder, createPlainResponder, fromPlainRequest } from './plain-responder.ts';
import { createHttpResponder, fromHttpRequest } from './responder.ts';

interface ServerParts extends ExchangeParts {
  readonly control: () => Promise<RequestListener>;
  /** Milliseconds that a whole request may take to arrive. */
  readonly requestTimeoutMs?: number | undefined;
  /** Connections at once at this port. */
  readonly maxConnections: number;
  /** When any port of the sandbox told of too many connections: strangers are closed by the hundred. */
  readonly pressure: { toldAt: number };
}

const controlPrefix = '/__sandbox';

/** Too many connections are told of once in this time. Milliseconds. */
const pressureQuietMs = 60_000;

/** Serves whoever connects to `reservedPort`. Returns a function that ends this, and open connections too. */
export function serveSandbox(reservedPort: ReservedPort, parts: ServerParts): () => Promise<void> {
  const requestTimeoutMs = parts.requestTimeoutMs ?? 15_000;
  const sockets = new Set<Socket>();
  const limits = connectionLimitsFor(parts.maxConnections);
  const limiter = createConnectionLimiter({
    clock: systemClock,
    limits,
    count: () => sockets.size,
    end(socket) {
      sockets.delete(socket);
      socket.destroy();
    },
    onPressure() {
      const now = systemClock.monotonic();
      if (now - parts.pressure.toldAt < pressureQuietMs) return;
      parts.pressure.toldAt = now;
      parts.report(tooManyConnectionsError(limits.maxConnections));
    },
  });
  let http: Promise<HttpServer> | undefined;
  const handOver = (socket: Socket, unread: Buffer) => {
    http ??= createHttpServer(parts, requestTimeoutMs, limiter.requestStarted);
    http.then(
      (server) => {
        if (socket.destroyed) return;
        socket.unshift(unread);
        server.emit('connection', socket);
        socket.resume();
      },
      (error: unknown) => {
        parts.report(error);
        socket.destroy();
      },
    );
  };
  const connection: ConnectionParts = {
    serve(request, open) {
      limiter.requestStarted(open.socket);
      handleRequest(parts, fromPlainRequest(request), createPlainResponder(open));
    },
    needsNodeHttp: ({ target }) => isControl(target),
    handOver,
    unreadable: unreadableResponse(parts.world),
    bodyLimit,
    requestTimeoutMs,
    keepAliveSeconds: 5,
    now: systemClock.now,
  };
  reservedPort.open({
    maxConnections: limits.maxConnections,
    dropped: limiter.connectionDropped,
    serve(socket, heard, answered) {
      sockets.add(socket);
      socket.once('close', () => {
        sockets.delete(socket);
        limiter.connectionClosed(socket);
      });
      serveConnection(connection, socket, answered);
      if (!answered) limiter.connectionOpened(socket);
      if (heard.length > 0) socket.unshift(heard);
    },
    first(heard, client) {
      const request = readPlainRequest(heard, noFields(), bodyLimit);
      if (typeof request === 'string' || request.end < heard.length || connection.needsNodeHttp(request))
        return false;
      const keptFor = request.fields.keepAlive ? connection.keepAliveSeconds : null;
      handleRequest(parts, fromPlainRequest(request), createEarlyResponder(client, keptFor, connection.now));
      return true;
    },
  });
  return async () => {
    const closed = reservedPort.close();
    limiter.close();
    for (const socket of sockets) socket.destroy();
    http?.then((server) => server.close()).catch(() => {});
    await closed;
  };
}

/** Makes the server. It never listens: connections are handed to it. */
async function createHttpServer(
  parts: ServerParts,
  requestTimeout: number,
  requestStarted: (socket: Socket) => void,
): Promise<HttpServer> {
  const { createServer } = await import('node:http');
  const limits = {
    requestTimeout,
    headersTimeout: requestTimeout,
    connectionsCheckingInterval: Math.min(requestTimeout, 1_000),
    // Node would refuse one without Host, and send no envelope.
    requireHostHeader: false,
  };
  const serveControl: RequestListener = (request, response) => {
    parts.control().then(
      (listener) => listener(request, response),
      (error: unknown) => {
        parts.report(error);
        response.writeHead(500).end();
      },
    );
  };
  const serve = answerInOrder((request, response) => {
    const target = request.url ?? '/';
    if (request.httpVersion === '1.1' && request.headers.host === undefined)
      refuseHostless(parts.world, response);
    else if (isControl(target)) serveControl(request, response);
    else handleRequest(parts, fromHttpRequest(target, request, response), createHttpResponder(response));
  });
  const server = createServer(limits, serve);
  for (const event of ['request', 'checkExpectation'] as const)
    server.prependListener(event, ({ socket }: IncomingMessage) => requestStarted(socket));
  // Node itself would refuse an unknown expectation, and send no envelope.
  server.on('checkExpectation', serve);
  // Node itself would close the connection without an answer. It no longer handles the connection's errors either.
  server.on('connect', ({ url = '', headers: { authorization } }, stream) => {
    const socket = stream as Socket;
    socket.on('error', () => {}).resume();
    const request = { method: 'CONNECT', target: url, authorization, hasBody: false, body: () => {} };
    const finish = () => socket.destroySoon();
    const open = { socket, now: systemClock.now, isOpen: () => true, keepAliveSeconds: () => null, finish };
    handleRequest(parts, request, createPlainResponder(open));
  });
  // If no request could be read, nobody can be asked which one it was.
  prepareForHandover(server, unreadableResponse(parts.world));
  return server;
}

const tooManyConnectionsError = (most: number): PixctlError =>
  new PixctlError(
    'later',
    'TOO_MANY_CONNECTIONS',
    `Nearly all of the ${most} connections that this sandbox can hold at once at one address are taken: those on which no request has come are closed, and others may be turned away.`,
    { hint: openFilesRemedy('EMFILE') },
  );

const isControl = (target: string): boolean =>
  target.startsWith(controlPrefix) && ['/', '?', undefined].includes(target[controlPrefix.length]);

/** Returns the whole answer to what is no HTTP: there is no call that it could answer. */
function unreadableResponse(world: World): string {
  const body = unreadableBody(world, 'the request could not be read');
  const fields = { ...unreadableFields, 'Content-Length': body.length };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`;
}

/** Refuses HTTP/1.1 without Host, which is no request either (RFC 9112, 3.2). */
function refuseHostless(world: World, response: ServerResponse): void {
  const body = unreadableBody(world, 'the header Host is missing, which HTTP/1.1 requires');
  response.writeHead(400, { ...unreadableFields, 'Content-Length': body.length }).end(body);
}

const unreadableFields = {
  'Content-Type': 'application/json',
  'X-Sandbox': 'pixctl',
  'X-Sandbox-Assumption': 'body-syntax-code',
  Connection: 'close',
};

const unreadableBody = (world: World, message: string): string =>
  failureText(world, assumedRefusal(world.assume('body-syntax-code'), message));
