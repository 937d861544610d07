/** The socket of one sandbox: 127.0.0.1 and nothing else. */
import type { RequestListener } from 'node:http';
import { PixctlError } from '../errors.ts';
import { type ReservedPort, reservePort } from '../plain/reserved-port.ts';
import type { Assembly } from './assembly.ts';
import { serveSandbox } from './wire/server.ts';

export interface RunningServer {
  /** Without trailing slash. */
  readonly url: string;
  /** Closes the socket and ends open connections. */
  close(): Promise<void>;
}

const host = '127.0.0.1';

/**
 * Takes a port, where the system keeps whoever comes waiting. Throws `configError` (78) if it is taken or we may not
 * have it.
 */
export const reserveLocalPort = (port: number): Promise<ReservedPort> =>
  reservePort(host, port).catch((error: NodeJS.ErrnoException) => {
    throw portError(error, port);
  });

/** Serves the port from now on. Call it in the same turn of the event loop in which the port was taken. */
export function serve(
  reservedPort: ReservedPort,
  sandbox: Assembly,
  requestTimeoutMs?: number,
): RunningServer {
  let plane: Promise<RequestListener> | undefined;
  const control = () => {
    plane ??= import('./control/app.ts').then(({ createControlPlane }) => createControlPlane(sandbox));
    return plane;
  };
  const { world, faults, log, report } = sandbox;
  const isOpen = () => reservedPort.isOpen;
  const era = () => sandbox.era;
  const close = serveSandbox(reservedPort, {
    world,
    faults,
    log,
    report,
    isOpen,
    era,
    control,
    requestTimeoutMs,
  });
  return { url: `http://${host}:${reservedPort.port}`, close };
}

function portError(error: NodeJS.ErrnoException, port: number): PixctlError {
  const message =
    error.code === 'EADDRINUSE'
      ? `port ${port} on ${host} is taken by another program; the sandbox did not start`
      : `the sandbox cannot listen on ${host}:${port}: ${error.message}`;
  return new PixctlError('config', 'PORT', message, {
    hint: 'Give another port with --port, or --port 0 for any free one.',
    cause: error,
  });
}
