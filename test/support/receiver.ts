/** A receiver of webhooks on a free port of loopback: keeps what arrives, answers as told. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback } from './listen-on-loopback.ts';

export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The same, with each value of a header that came more than once. */
  readonly headersDistinct: IncomingMessage['headersDistinct'];
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** Milliseconds of the machine's steady clock. */
  readonly at: number;
}

/**
 * A status to answer with, or what to do with the connection. A function answers itself, or gives the status, or a
 * promise of it; if it throws, the connection is broken.
 */
export type Reply = number | 'hang' | 'reset' | ((received: Received, response: ServerResponse) => unknown);

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: Received[];
  /** Replies to the next requests, in order; then `otherwise`. */
  replies: Reply[];
  otherwise: Reply;
  /** Resolves when `count` requests have arrived. */
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Answers the first requests with `replies`, and 200 from then on. */
export async function startReceiver(...replies: Reply[]): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers, headersDistinct, rawHeaders } = request;
      const body = Buffer.concat(chunks).toString('utf8');
      const one: Received = { path, headers, headersDistinct, rawHeaders, body, at: performance.now() };
      received.push(one);
      void answer(self.replies.shift() ?? self.otherwise, one, response);
      for (const look of waiting) look();
    });
  });
  const port = await listenOnLoopback(server);
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const self: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    replies,
    otherwise: 200,
    arrived(count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => {
        if (received.length < count) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
      return promise;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return self;
}

/** Answers every request in the same way. */
export async function alwaysAnswering(reply: Reply): Promise<Receiver> {
  return Object.assign(await startReceiver(), { otherwise: reply });
}

async function answer(reply: Reply, received: Received, response: ServerResponse): Promise<void> {
  try {
    const told = typeof reply === 'function' ? await reply(received, response) : reply;
    if (told === 'reset') response.socket?.resetAndDestroy();
    if (typeof told === 'number') response.writeHead(told, { location: '/elsewhere' }).end();
  } catch {
    response.socket?.destroy();
  }
}
