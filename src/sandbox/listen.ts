/** The socket of one sandbox: 127.0.0.1 and nothing else. */
import type { RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { PixctlError } from '../errors.ts';
import type { Assembly } from './assembly.ts';
import { serveSandbox } from './wire/server.ts';

export interface Listening {
  /** Without trailing slash. */
  readonly url: string;
  /** Ends open connections too. */
  close(): Promise<void>;
}

const host = '127.0.0.1';

/**
 * A server that listens and serves nobody yet: whoever comes is kept waiting by the system. Throws `configError`
 * (78) when the port is taken or not ours to take.
 */
export function takePort(port: number): Promise<Server> {
  const net = createServer({ allowHalfOpen: true, noDelay: true });
  return new Promise((resolve, reject) => {
    net.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, port)));
    bind(net, port, () => resolve(net));
  });
}

/** From now on `net` serves. In the turn of the event loop in which the port was taken: before, nobody is let in. */
export function serve(net: Server, sandbox: Assembly, requestTimeoutMs?: number): Listening {
  let plane: Promise<RequestListener> | undefined;
  const control = () => {
    plane ??= import('./control/app.ts').then(({ controlPlane }) => controlPlane(sandbox));
    return plane;
  };
  const { world, faults, log, report } = sandbox;
  const isOpen = () => net.listening;
  const era = () => sandbox.era;
  const close = serveSandbox(net, { world, faults, log, report, isOpen, era, control, requestTimeoutMs });
  const { port } = net.address() as AddressInfo;
  return { url: `http://${host}:${port}`, close };
}

/**
 * `listen` looks its host up even where it is an address, and loads `node:dns` for that: 5 ms, a fifth of what
 * Node takes to start. What it calls afterwards needs no name; where that is missing, there is still `listen`.
 */
function bind(server: Server, port: number, listening: () => void): void {
  const direct = (server as Server & { _listen2?: Bind })._listen2;
  if (typeof direct !== 'function') return void server.listen(port, host, listening);
  server.once('listening', listening);
  direct.call(server, host, port, 4, 511, undefined, 0);
}

type Bind = (
  host: string,
  port: number,
  family: 4 | 6,
  backlog: number,
  fd: undefined,
  flags: number,
) => void;

function explain(error: NodeJS.ErrnoException, port: number): PixctlError {
  const message =
    error.code === 'EADDRINUSE'
      ? `port ${port} on ${host} is taken by another program; the sandbox did not start`
      : `the sandbox cannot listen on ${host}:${port}: ${error.message}`;
  return new PixctlError('config', 'PORT', message, {
    hint: 'Give another port with --port, or --port 0 for any free one.',
    cause: error,
  });
}
