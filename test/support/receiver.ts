/** A receiver on a free port: what it got, and an answer of the test's choosing. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Got {
  readonly headers: IncomingMessage['headersDistinct'];
  readonly body: Buffer;
}

export interface TestReceiver {
  readonly url: string;
  readonly got: Got[];
  close(): Promise<void>;
}

/** `answer` gives the status, or a promise of it; throwing breaks the connection. */
export async function startReceiver(answer: (got: Got) => number | Promise<number>): Promise<TestReceiver> {
  const got: Got[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const one = { headers: request.headersDistinct, body: Buffer.concat(chunks) };
    got.push(one);
    try {
      response.writeHead(await answer(one), { Location: '/elsewhere' }).end();
    } catch {
      request.socket.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    got,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
