/** Whether the listener could have a port: it is taken for a moment, and left. */
import { createServer } from 'node:net';

/** Why 127.0.0.1:<port> cannot be had, as an error's code; null when it is free. */
export function portFault(port: number): Promise<string | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
