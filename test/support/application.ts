/** A user's application for tests: a real server that answers as told and remembers what it was sent. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { freePort } from './free-port.ts';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly id: string;
}

export interface Application {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** Ids that were answered with 2xx. */
  readonly taken: ReadonlySet<string>;
  /** A status, or never to answer; applies from now on. */
  answer: number | 'hang' | ((id: string, before: number) => number | 'hang');
  /** Resolves once `count` deliveries have come. */
  until(count: number): Promise<void>;
  untilTaken(ids: Iterable<string>): Promise<void>;
  /** Refuses connections until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

export async function startApplication(): Promise<Application> {
  const received: Received[] = [];
  const taken = new Set<string>();
  let waiters: (() => void)[] = [];
  let server: Server;
  const port = await freePort();

  const until = async (done: () => boolean) => {
    while (!done()) await new Promise<void>((resolve) => waiters.push(resolve));
  };

  const listen = () =>
    new Promise<void>((resolve) => {
      server = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const body = Buffer.concat(chunks);
          const id = idOf(body);
          const before = received.filter((one) => one.id === id).length;
          const { answer } = application;
          const status = typeof answer === 'function' ? answer(id, before) : answer;
          const { headers, rawHeaders, url: path = '' } = request;
          received.push({ path, headers, rawHeaders, body, id });
          if (status !== 'hang') {
            if (status >= 200 && status < 300) taken.add(id);
            response.writeHead(status, status >= 300 && status < 400 ? { Location: '/elsewhere' } : {});
            response.end('ok');
          }
          for (const wake of waiters.splice(0)) wake();
        });
      });
      server.listen(port, '127.0.0.1', resolve);
    });
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });

  await listen();
  const application: Application = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    taken,
    answer: 200,
    until: (count) => until(() => received.length >= count),
    untilTaken: (ids) => until(() => [...ids].every((id) => taken.has(id))),
    down: stop,
    up: listen,
    async close() {
      waiters = [];
      await stop();
    },
  };
  return application;
}

function idOf(body: Buffer): string {
  try {
    return String((JSON.parse(body.toString('utf8')) as { id: unknown }).id);
  } catch {
    return '';
  }
}
