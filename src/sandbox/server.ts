/**
 * The sandbox on a socket: the documented routes at `/`, and nothing else there; everything that drives
 * the world under `/__sandbox/`, loaded when it is first asked for. Bare `node:http`, because this is the
 * path that others run their tests over.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import { type ExchangeParts, exchange } from './exchange.ts';
import { Refusal } from './refusal.ts';
import { writeFailure } from './wire.ts';

export interface ServerParts extends ExchangeParts {
  readonly control: () => Promise<RequestListener>;
  /** Milliseconds that a whole request may take to arrive. */
  readonly requestTimeoutMs?: number | undefined;
}

const controlPrefix = '/__sandbox';

export function createSandboxServer(parts: ServerParts): Server {
  const requestTimeout = parts.requestTimeoutMs ?? 15_000;
  const limits = {
    requestTimeout,
    headersTimeout: requestTimeout,
    connectionsCheckingInterval: Math.min(requestTimeout, 1_000),
  };
  const serveControl: RequestListener = (request, response) => {
    parts.control().then(
      (listener) => listener(request, response),
      (error: unknown) => {
        parts.report(error);
        response.writeHead(500).end();
      },
    );
  };
  const server = createServer(limits, (request, response) => {
    const target = request.url ?? '/';
    if (isControl(target)) serveControl(request, response);
    else exchange(parts, target, request, response);
  });
  // Where no request could be read there is nobody to ask which one it was.
  server.on('clientError', (_, socket) => {
    if (socket.writable) socket.end(unreadable);
  });
  return server;
}

const isControl = (target: string): boolean =>
  target.startsWith(controlPrefix) && ['/', '?', undefined].includes(target[controlPrefix.length]);

const { body } = writeFailure(new Refusal('VALIDATION_ERROR', 'the request could not be read'));
const unreadable = `HTTP/1.1 400 Bad Request\r
Content-Type: application/json\r
X-Sandbox: pixctl\r
X-Sandbox-Assumption: body-syntax-code\r
Connection: close\r
Content-Length: ${body.length}\r
\r
${body}`;
