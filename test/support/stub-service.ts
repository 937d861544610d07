/** A service of one list of no charges, which knows one key and remembers what it was sent. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listenOnLoopback } from './listen-on-loopback.ts';

export interface StubService {
  readonly url: string;
  readonly seen: readonly { readonly url: string; readonly headers: IncomingHttpHeaders }[];
  /** The status of every answer to the known key. */
  status: number;
  /** The `Date` header, milliseconds from now. */
  skewMs: number;
  close(): Promise<void>;
}

export async function startStubService(knownKey: string): Promise<StubService> {
  const seen: { url: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    seen.push({ url: request.url ?? '', headers: request.headers });
    const known = request.headers.authorization === `Bearer ${knownKey}`;
    const status = known ? stub.status : 401;
    const codes: Record<number, string> = { 401: 'UNAUTHORIZED', 403: 'FORBIDDEN', 500: 'INTERNAL_ERROR' };
    const body =
      status === 200
        ? { data: [], error: null, success: true, pagination: { hasMore: false, next: null, before: null } }
        : { error: codes[status] ?? 'BAD_REQUEST', message: 'no \u001b[31m', success: false };
    response.writeHead(status, {
      'content-type': 'application/json',
      date: new Date(Date.now() + stub.skewMs).toUTCString(),
    });
    response.end(JSON.stringify(body));
  });
  const port = await listenOnLoopback(server);
  const stub: StubService = {
    url: `http://127.0.0.1:${port}`,
    seen,
    status: 200,
    skewMs: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return stub;
}
