/** Ports of 127.0.0.1 that nobody has at the moment. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export const freePort = (): Promise<number> => listenOnce(0);

/**
 * None that the system hands out by itself: a server that is down for a while finds its port free when it comes back,
 * and until then no server of another test answers there.
 */
export async function quietPort(): Promise<number> {
  for (;;) {
    const port = await listenOnce(randomInt(20_000, 32_768)).catch(() => null);
    if (port !== null) return port;
  }
}

async function listenOnce(wanted: number): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
