/** For the servers that tests make themselves, of any protocol. */
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Has the server listen on a free port of 127.0.0.1, and resolves with that port. */
export async function listenOnLoopback(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}
