/** A webhook receiver on loopback: keeps what arrives, answers as told. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** Milliseconds of the machine's steady clock. */
  readonly at: number;
}

/** A status to answer with, or what to do with the connection. */
export type Reply = number | 'hang' | 'reset' | ((response: ServerResponse, received: Received) => void);

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: Received[];
  /** Replies to the next requests, in order; then `otherwise`. */
  replies: Reply[];
  otherwise: Reply;
  /** Resolves when `count` requests have arrived. */
  arrived(count: number): Promise<void>;
}

export async function receiver(...replies: Reply[]): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one: Received = {
        path: request.url ?? '',
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body: Buffer.concat(chunks).toString('utf8'),
        at: performance.now(),
      };
      received.push(one);
      answer(self.replies.shift() ?? self.otherwise, response, one);
      for (const look of waiting) look();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const self: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
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
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return self;
}

function answer(reply: Reply, response: ServerResponse, received: Received): void {
  if (reply === 'hang') return;
  if (reply === 'reset') return void response.socket?.resetAndDestroy();
  if (typeof reply !== 'number') return void reply(response, received);
  response.writeHead(reply, { location: '/elsewhere' }).end();
}
