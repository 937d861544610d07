/** The socket of one sandbox: 127.0.0.1 and nothing else. */
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PixctlError } from '../errors.ts';
import type { Assembly } from './assembly.ts';
import { createSandboxServer } from './server.ts';

export interface Listening {
  /** Without trailing slash. */
  readonly url: string;
  /** Ends open connections too. */
  close(): Promise<void>;
}

const host = '127.0.0.1';

/** Throws `configError` (78) when the port is taken or not ours to take. */
export function listen(sandbox: Assembly, port: number, requestTimeoutMs?: number): Promise<Listening> {
  let plane: Promise<RequestListener> | undefined;
  const control = () => {
    plane ??= import('./control/app.ts').then(({ controlPlane }) => controlPlane(sandbox));
    return plane;
  };
  const { world, faults, log, report } = sandbox;
  const isOpen = () => server.net.listening;
  const server = createSandboxServer({ world, faults, log, report, isOpen, control, requestTimeoutMs });
  const { net, close } = server;
  return new Promise((resolve, reject) => {
    net.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, port)));
    net.listen(port, host, () => {
      const { port: taken } = net.address() as AddressInfo;
      resolve({ url: `http://${host}:${taken}`, close });
    });
  });
}

function explain(error: NodeJS.ErrnoException, port: number): PixctlError {
  const message =
    error.code === 'EADDRINUSE'
      ? `port ${port} on ${host} is taken by another program; the sandbox did not start`
      : `the sandbox cannot listen on ${host}:${port}: ${error.message}`;
  return new PixctlError('config', 'PORT', message, {
    hint: 'give another port with --port, or --port 0 for any free one',
    cause: error,
  });
}
