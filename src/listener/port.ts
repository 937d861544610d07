/** Checks whether the listener could have a port, and whether one is running there. */
import { get } from 'node:http';
import { createServer } from 'node:net';
import { probeUserAgent } from './tunnel/probe.ts';

/**
 * Takes the port for a moment and releases it. Returns the error code that says why 127.0.0.1:<port> is not available;
 * null if free.
 */
export function findPortError(port: number): Promise<string | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

/** Whether a listener of this program answers a GET there. Takes at most a second, and never rejects. */
export function isListenerAt(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { 'User-Agent': probeUserAgent };
    const options = { host: '127.0.0.1', port, agent: false, headers, signal: AbortSignal.timeout(1_000) };
    const request = get(options, (answer) => {
      answer.once('data', (chunk: Buffer) => {
        resolve(chunk.toString().startsWith('{"pixctl":"listening"'));
        request.destroy();
      });
      answer.on('error', () => resolve(false));
    });
    request.on('error', () => resolve(false)).on('close', () => resolve(false));
  });
}
