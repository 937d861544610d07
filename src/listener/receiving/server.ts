/**
 * Runs the receiver on a socket bound to one address. Plain deliveries, as nearly all are, are read by `plain/`;
 * everything else is handed to `node:http` with its connection.
 */
import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '../../clock.ts';
import { PixctlError } from '../../errors.ts';
import { answerText } from '../../plain/answer-text.ts';
import { type Connection, type ConnectionParts, serveConnection } from '../../plain/connection.ts';
import { type Crowd, type CrowdLimits, createCrowd, crowdLimits } from './crowd.ts';
import { createHttpServer, type HttpOptions, isAtPath, notStored, patience } from './http-server.ts';

export interface ServerOptions extends Omit<HttpOptions, 'crowd'> {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly limits?: CrowdLimits;
}

export interface RunningServer {
  readonly port: number;
  /** Refuses new connections, lets requests under way be answered, then closes the rest. */
  close(): Promise<void>;
}

/** Starts the receiver. Throws `PixctlError` (78) when the address is not available. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { clock, limits = crowdLimits, onTrouble } = options;
  const open = new Map<Socket, Connection>();
  const end = (socket: Socket) => {
    open.delete(socket);
    socket.destroy();
  };
  const crowd = createCrowd({ clock, limits, count: () => open.size, end, onCrowded: onTrouble });
  const http = createHttpServer({ ...options, crowd });
  const parts = plainParts({ ...options, crowd }, http);
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    open.set(socket, serveConnection(parts, socket));
    crowd.came(socket);
    socket.once('close', () => {
      open.delete(socket);
      crowd.left(socket);
    });
  });
  server.maxConnections = limits.most;
  server.on('drop', crowd.dropped).on('close', crowd.close);
  await listen(server, options);
  return { port: (server.address() as AddressInfo).port, close: () => close(server, http, open) };
}

const plainParts = (options: ServerOptions & { crowd: Crowd }, http: HttpServer): ConnectionParts => ({
  serve({ fields, body }, exchange) {
    options.crowd.delivers(exchange.socket);
    // Copied, because it is kept longer than the request.
    options.receiver.receive(fields.all, Buffer.from(body)).then(
      (answer) => {
        if (answer.refused) options.crowd.refused(exchange.socket);
        answerText(exchange, answer.status, json, answer.body);
      },
      (cause: unknown) => {
        options.onTrouble(cause);
        answerText(exchange, 500, json, notStored);
      },
    );
  },
  isOther: ({ method, target }) => method !== 'POST' || !isAtPath(options.path, target),
  handOver(socket, unread) {
    socket.unshift(unread);
    http.emit('connection', socket);
    socket.resume();
  },
  unreadable: null,
  bodyLimit: 64 * 1024,
  requestTimeoutMs: patience.request,
  keepAliveSeconds: patience.idle / 1_000,
  now: options.clock.now,
});

const json = { 'Content-Type': 'application/json' };

function listen(server: Server, { host, port }: ServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(notListening(cause, host, port)));
    server.listen({ host, port }, resolve);
  });
}

function notListening(cause: NodeJS.ErrnoException, host: string, port: number): PixctlError {
  const { code = cause.message } = cause;
  return new PixctlError(
    'config',
    code === 'EADDRINUSE' ? 'PORT_IN_USE' : 'CANNOT_LISTEN',
    `Cannot listen on ${host}:${port}: ${reasons[code] ?? code}.`,
    {
      hint: noAddress.includes(code)
        ? 'Give an address of this machine as --host, like 127.0.0.1.'
        : 'Give another --port; 0 takes any that is free.',
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
    const patience = setTimeout(() => {
      for (const socket of open.keys()) socket.destroy();
    }, 2_000);
    server.once('close', () => {
      clearTimeout(patience);
      http.close();
    });
  });
}
