/** The sockets of one sandbox: 127.0.0.1, and the address that was asked for besides. */
import type { RequestListener } from 'node:http';
import { inUrl, isWildcard, parseAddress } from '../flags/host.ts';
import { openFilesLimit } from '../flags/open-files.ts';
import type { ReservedPort } from '../plain/reserved-port.ts';
import type { Assembly } from './assembly.ts';
import { ownAddress } from './reserve-ports.ts';
import { serveSandbox } from './wire/server.ts';

export interface RunningServer {
  /** Without trailing slash. */
  readonly url: string;
  /** Closes the sockets and ends open connections. */
  close(): Promise<void>;
}

interface ServeOptions {
  readonly requestTimeoutMs?: number | undefined;
  /** The address that was asked for besides 127.0.0.1. */
  readonly host?: string;
  /** Further names under which the control plane may be called. */
  readonly allowHosts?: readonly string[] | undefined;
}

/** Files that are not for connections: those of the program and its state, and deliveries under way. */
const ownFiles = 64;

/** Serves the ports from now on. Call it in the same turn of the event loop in which the last one was taken. */
export function serve(
  ports: readonly ReservedPort[],
  sandbox: Assembly,
  { requestTimeoutMs, host = ownAddress, allowHosts = [] }: ServeOptions = {},
): RunningServer {
  let plane: Promise<RequestListener> | undefined;
  const control = () => {
    plane ??= import('./control/app.ts').then(({ createControlPlane }) =>
      createControlPlane(sandbox, controlHosts(host, allowHosts)),
    );
    return plane;
  };
  const { world, faults, log, report } = sandbox;
  const isOpen = () => ports.every((port) => port.isOpen);
  const era = () => sandbox.era;
  const maxConnections = ((openFilesLimit() ?? Number.POSITIVE_INFINITY) - ownFiles) / ports.length;
  const limits = { requestTimeoutMs, maxConnections, pressure: { toldAt: Number.NEGATIVE_INFINITY } };
  const parts = { world, faults, log, report, isOpen, era, control, ...limits };
  const closing = ports.map((port) => serveSandbox(port, parts));
  return {
    url: `http://${ownAddress}:${ports[0]?.port}`,
    close: async () => void (await Promise.all(closing.map((close) => close()))),
  };
}

/** Returns the names and addresses, besides those of loopback, under which the control plane may be called. */
export function controlHosts(host: string, allowed: readonly string[]): readonly string[] {
  const own = isWildcard(host) ? [] : [host];
  return [...own, ...allowed].map((name) => inUrl(parseAddress(name) ?? name).toLowerCase());
}
