/**
 * Runs the receiver on a socket bound to one address. Plain deliveries, as nearly all are, are read by `plain/`;
 * everything else is handed to `node:http` with its connection.
 */
import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '../../clock.ts';
import { PixctlError } from '../../errors.ts';
import { inUrl } from '../../flags/host.ts';
import { openFilesLimit, openFilesRemedy } from '../../flags/open-files.ts';
import { answerText } from '../../plain/answer-text.ts';
import { type Connection, type ConnectionParts, serveConnection } from '../../plain/connection.ts';
import {
  type ConnectionLimiter,
  type ConnectionLimits,
  connectionLimitsFor,
  createConnectionLimiter,
} from '../../plain/connection-limiter.ts';
import { createHttpServer, type HttpOptions, isAtPath, notStoredBody, timeouts } from './http-server.ts';

export interface ServerOptions extends Omit<HttpOptions, 'limiter'> {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly limits?: ConnectionLimits;
}

export interface RunningServer {
  readonly port: number;
  /** Refuses new connections, lets requests under way be answered, then closes the rest. */
  close(): Promise<void>;
}

/** Starts the receiver. Throws `PixctlError` (78) when the address is not available. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { clock, limits = defaultLimits(), onTrouble } = options;
  const open = new Map<Socket, Connection>();
  const end = (socket: Socket) => {
    open.delete(socket);
    socket.destroy();
  };
  const limiter = createConnectionLimiter({
    clock,
    limits,
    count: () => open.size,
    end,
    onPressure: (what) => onTrouble(pressureWarning(what, limits)),
  });
  const http = createHttpServer({ ...options, limiter });
  const parts = createConnectionParts({ ...options, limiter }, http);
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    open.set(socket, serveConnection(parts, socket));
    limiter.connectionOpened(socket);
    socket.once('close', () => {
      open.delete(socket);
      limiter.connectionClosed(socket);
    });
  });
  server.maxConnections = limits.maxConnections;
  server.on('drop', limiter.connectionDropped).on('close', limiter.close);
  await listen(server, options);
  return { port: (server.address() as AddressInfo).port, close: () => close(server, http, open) };
}

const mostConnections = 1_000;

/** Files that are not for connections: those of the program and its inbox. Of the others, half are for forwards. */
const ownFiles = 32;

/** @param files how many files this process may have open; null where that is not known */
export function defaultLimits(files: number | null = openFilesLimit()): ConnectionLimits {
  if (files === null) return connectionLimitsFor(mostConnections);
  return connectionLimitsFor(Math.min(mostConnections, (files - ownFiles) / 2));
}

function pressureWarning(what: 'evicting' | 'full', limits: ConnectionLimits): string {
  const { evictionThreshold, maxConnections } = limits;
  const more = maxConnections < mostConnections ? ` ${openFilesRemedy('EMFILE')}` : '';
  return what === 'evicting'
    ? `More than ${evictionThreshold} of the ${maxConnections} connections that this listener accepts at once are in use: those that have delivered nothing genuine are closed to make room. Somebody may be holding them open.${more}`
    : `All ${maxConnections} connections that this listener accepts at once are in use, and others are turned away: a delivery among them has to come again.${more} To see which the service could not make: pixctl webhook deliveries <endpoint id>`;
}

const createConnectionParts = (
  options: ServerOptions & { limiter: ConnectionLimiter },
  http: HttpServer,
): ConnectionParts => ({
  serve({ fields, body }, exchange) {
    options.limiter.requestStarted(exchange.socket);
    // Copied, because it is kept longer than the request.
    options.receiver.receive(fields.all, Buffer.from(body)).then(
      (answer) => {
        if (answer.refused) options.limiter.requestRefused(exchange.socket);
        answerText(exchange, answer.status, json, answer.body);
      },
      (cause: unknown) => {
        options.onTrouble(cause);
        answerText(exchange, 500, json, notStoredBody);
      },
    );
  },
  needsNodeHttp: ({ method, target }) => method !== 'POST' || !isAtPath(options.path, target),
  handOver(socket, unread) {
    socket.unshift(unread);
    http.emit('connection', socket);
    socket.resume();
  },
  unreadable: null,
  bodyLimit: 64 * 1024,
  requestTimeoutMs: timeouts.request,
  keepAliveSeconds: timeouts.idle / 1_000,
  now: options.clock.now,
});

const json = { 'Content-Type': 'application/json' };

function listen(server: Server, { host, port }: ServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(listenError(cause, host, port)));
    server.listen({ host, port }, resolve);
  });
}

function listenError(cause: NodeJS.ErrnoException, host: string, port: number): PixctlError {
  const { code = cause.message } = cause;
  return new PixctlError(
    'config',
    code === 'EADDRINUSE' ? 'PORT_IN_USE' : 'CANNOT_LISTEN',
    `Cannot listen on ${inUrl(host)}:${port}: ${reasons[code] ?? code}.`,
    {
      hint: noAddress.includes(code)
        ? 'Give an address of this machine as --host, like 127.0.0.1.'
        : (openFilesRemedy(code) ?? 'Give another --port; 0 takes any that is free.'),
      cause,
    },
  );
}

const noAddress = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];
const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'this user may not use that port',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'no address has that name',
};

function close(server: Server, http: HttpServer, open: ReadonlyMap<Socket, Connection>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const connection of open.values()) connection.end();
    http.closeIdleConnections();
    const forceCloseTimer = setTimeout(() => {
      for (const socket of open.keys()) socket.destroy();
    }, 2_000);
    server.once('close', () => {
      clearTimeout(forceCloseTimer);
      http.close();
    });
  });
}
