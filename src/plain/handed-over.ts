/** What a `node:http` server that never listens needs: it is handed the connections that are not plain. */
import type { Server } from 'node:http';

/** How long a client that was not understood may take to read why. Milliseconds. */
const lingerMs = 2_000;

/** What Node says of a request that it could not read. */
export type Unread = Error & { readonly code?: string; readonly rawPacket?: Uint8Array };

/**
 * @param unreadable the whole answer where no request could be read; it ends the connection
 * @param told of what is answered so
 */
export function takeHandedOver(
  server: Server,
  unreadable: string,
  told: (cause: Unread) => void = () => {},
): void {
  server.on('clientError', (cause, socket) => {
    if (!socket.writable) return void socket.destroy();
    told(cause);
    // The socket may not be read any more, so that its end would never be seen.
    socket.end(unreadable);
    setTimeout(() => socket.destroy(), lingerMs).unref();
  });
  // A client that ends its half after the request still gets its answer, as over a plain connection. Not in Node's
  // types.
  Object.assign(server, { httpAllowHalfOpen: true });
  // At this event Node begins to look for requests that are too slow.
  server.emit('listening');
}
