/** Takes the port of a sandbox, at 127.0.0.1 and at the address that was asked for besides. */
import { PixctlError } from '../errors.ts';
import { inUrl, isWildcard } from '../flags/host.ts';
import { openFilesRemedy } from '../flags/open-files.ts';
import { type ReservedPort, reservePort } from '../plain/reserved-port.ts';

/** Where every sandbox listens: its own commands and its page go there. */
export const ownAddress = '127.0.0.1';

/** How often another free port is tried if the first one is free at one address only. */
const tries = 20;

/**
 * Takes the port, where the system keeps whoever comes waiting. Throws `configError` (78) if it is taken or we may not
 * have it.
 *
 * @param host as `parseAddress` gives it
 * @param port 0: any that is free at both addresses
 * @returns the port at each address; the last was taken in this turn of the event loop
 */
export async function reservePorts(host: string, port: number): Promise<readonly ReservedPort[]> {
  if (host === ownAddress || isWildcard(host)) return [await take(host, port)];
  for (let tried = 1; ; tried++) {
    const first = await take(host, port);
    try {
      return [first, await take(ownAddress, first.port)];
    } catch (error) {
      await first.close();
      const { code } = (error as Error).cause as NodeJS.ErrnoException;
      if (port !== 0 || code !== 'EADDRINUSE' || tried === tries) throw error;
    }
  }
}

const take = (host: string, port: number): Promise<ReservedPort> =>
  reservePort(host, port).catch((error: NodeJS.ErrnoException) => {
    throw portError(error, host, port);
  });

function portError(error: NodeJS.ErrnoException, host: string, port: number): PixctlError {
  const isNoAddress = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(error.code ?? '');
  const message =
    error.code === 'EADDRINUSE'
      ? `port ${port} on ${host} is taken by another program; the sandbox did not start`
      : `the sandbox cannot listen on ${inUrl(host)}:${port}: ${isNoAddress ? 'this machine has no such address' : error.message}`;
  return new PixctlError('config', 'PORT', message, {
    hint: isNoAddress
      ? 'Give an address of this machine with --host; 0.0.0.0 stands for all of them.'
      : (openFilesRemedy(error.code) ?? 'Give another port with --port, or --port 0 for any free one.'),
    cause: error,
  });
}
