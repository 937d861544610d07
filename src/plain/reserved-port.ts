/**
 * A port of this machine that is taken first and opened later. Whoever comes first is answered before `node:net` is
 * loaded, if exactly one whole plain request is all that came; after that, or as soon as anything else comes, the port
 * and everybody on it go to `node:net`, for good.
 */
import type { AddressInfo, Server, Socket } from 'node:net';
import { getBuiltinModule } from 'node:process';
import { timers } from '../clock.ts';
import { type BareClient, type BareServer, type BareTcp, backlog, bareTcp } from './bare-tcp.ts';

export interface ReservedPort {
  readonly port: number;
  /** False once it has been closed. */
  readonly isOpen: boolean;
  /**
   * Lets in whoever comes. Call it in the turn of the event loop in which the port was taken; whoever came before has
   * waited.
   */
  open(host: Host): void;
  /** Lets nobody in any more. The host must end the connections of `node:net`. */
  close(): Promise<void>;
}

export interface Host {
  /** Connections at once. Node turns away whoever comes beyond them, and calls `dropped`. */
  readonly maxConnections: number;
  dropped(): void;
  /**
   * Takes a connection. `heard` of it has been read already; `answered`: it has had an answer, and is kept for the next
   * request.
   */
  serve(socket: Socket, heard: Buffer, answered: boolean): void;
  /**
   * Takes what a connection sent first, for which `node:net` is not loaded yet. Returns false if that is needed;
   * otherwise the request gets its answer.
   */
  first(heard: Buffer, caller: EarlyClient): boolean;
}

/** Exactly one of these is called, now or later. Each is silent if the client is gone. */
export interface EarlyClient {
  /** Sends a whole answer. Then the connection becomes one of `node:net`, or is closed if it is not `kept`. */
  answer(bytes: Uint8Array, kept: boolean): void;
  reset(): void;
  close(): void;
}

/** A connection silent for this long goes to `node:net`, which has its own patience. Milliseconds. */
const silenceMs = 50;

/**
 * Takes the port. Rejects with the error of `node:net` if it is in use, or not ours to take.
 *
 * @param host an IP address; `::` takes IPv4 too
 * @param port 0: any free one
 * @param tcp null: `node:net` from the beginning
 */
export async function reservePort(
  host: string,
  port: number,
  tcp: BareTcp | null = bareTcp(),
): Promise<ReservedPort> {
  const bare = tcp?.listen(host, port) ?? null;
  return tcp === null || bare === null ? netDoor(await listenWithNet(host, port)) : bareDoor(tcp, bare);
}

function netDoor(net: Server): ReservedPort {
  return {
    port: (net.address() as AddressInfo).port,
    get isOpen() {
      return net.listening;
    },
    open(host) {
      limit(net, host);
      net.on('connection', (socket) => host.serve(socket, nothing, false));
    },
    close: () => new Promise((resolve) => net.close(() => resolve())),
  };
}

function bareDoor(tcp: BareTcp, bare: BareServer): ReservedPort {
  /** Connections that are not `node:net`'s; true: nothing has been read from it yet. */
  const callers = new Map<BareClient, boolean>();
  let host: Host | null = null;
  let net: Server | null = null;
  let isOpen = true;
  let becoming = asNew;

  function letIn(client: BareClient): void {
    client.setNoDelay(true);
    callers.set(client, true);
    const silence = timers.setTimeout(() => becomes(client, nothing, false), silenceMs).unref();
    tcp.readOnce(client, (heard) => {
      timers.clearTimeout(silence);
      if (!callers.has(client)) return;
      callers.set(client, false);
      if (heard === null) leaves(client);
      else if (host?.first(heard, callerOf(client)) !== true) becomes(client, heard, false);
    });
  }

  const callerOf = (client: BareClient): EarlyClient => ({
    answer(bytes, kept) {
      if (!callers.has(client)) return;
      tcp.write(client, bytes, (sent) => {
        if (sent && kept) becomes(client, nothing, true);
        else leaves(client);
      });
    },
    reset: () => void (callers.delete(client) && client.reset()),
    close: () => leaves(client),
  });

  const leaves = (client: BareClient) => void (callers.delete(client) && client.close());

  /** Hands a connection to `node:net` as if it had come just now. */
  function becomes(client: BareClient, heard: Buffer, answered: boolean): void {
    if (!callers.delete(client)) return;
    // Node takes it for an error if the connection is already being read.
    client.readStop();
    becomeNet();
    becoming = { heard, answered };
    bare.onconnection(0, client);
    becoming = asNew;
  }

  function becomeNet(): void {
    if (net !== null) return;
    net = listenOn(bare);
    if (host !== null) limit(net, host);
    net.on('connection', (socket) => host?.serve(socket, becoming.heard, becoming.answered));
    for (const [client, isSilent] of [...callers]) if (isSilent) becomes(client, nothing, false);
  }

  const named = { port: 0 };
  bare.getsockname(named);
  return {
    port: named.port,
    get isOpen() {
      return isOpen;
    },
    open(opening) {
      host = opening;
      bare.onconnection = (status, client) => {
        if (status === 0 && client !== undefined) letIn(client);
      };
    },
    close() {
      isOpen = false;
      for (const client of [...callers.keys()]) leaves(client);
      return new Promise((resolve) => {
        if (net === null) bare.close(resolve);
        else net.close(() => resolve());
      });
    },
  };
}

const nothing: Buffer = Buffer.alloc(0);
const asNew = { heard: nothing, answered: false };

/**
 * `listen` looks up its host even if that is an address, for which it loads `node:dns`, and for a handle everything
 * that makes a cluster: 5 ms, a fifth of Node's start-up time. What it calls afterwards needs neither.
 */
interface DirectServer extends Server {
  _handle: unknown;
  _listen2?(
    host: string | null,
    port: number,
    family: number,
    backlog: number,
    fd?: undefined,
    flags?: 0,
  ): void;
}

function createServer(): DirectServer {
  const net = getBuiltinModule('node:net');
  return net.createServer({ allowHalfOpen: true, noDelay: true }) as DirectServer;
}

function limit(server: Server, host: Host): void {
  server.maxConnections = host.maxConnections;
  server.on('drop', host.dropped);
}

function listenOn(bare: BareServer): Server {
  const server = createServer();
  if (typeof server._listen2 !== 'function') return server.listen({ _handle: bare });
  server._handle = bare;
  server._listen2(null, -1, -1, backlog);
  return server;
}

function listenWithNet(host: string, port: number): Promise<Server> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject).once('listening', () => resolve(server));
    if (typeof server._listen2 === 'function')
      server._listen2(host, port, host.includes(':') ? 6 : 4, backlog, undefined, 0);
    else server.listen(port, host);
  });
}
