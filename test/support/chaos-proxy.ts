/**
 * A proxy that stands between the command and the sandbox and misbehaves on purpose, before or after the
 * effect: what a network, a load balancer or a crashing service may do to one request. Scripted by a
 * function a request, or seeded, so that a failure can be replayed.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { listenOnLoopback } from './listen-on-loopback.ts';
import { seeded } from './seeded.ts';

export type FaultKind =
  | 'reset'
  | 'hang'
  | 'truncate'
  | 'status'
  | 'html'
  | 'conflict'
  | 'redirect'
  | 'duplicate'
  | 'garbage'
  | 'delay';

export interface Fault {
  readonly kind: FaultKind;
  /** `before`: the service never sees the request. `after`: it has answered, the caller does not learn it. */
  readonly when: 'before' | 'after';
  /** For `status`, `html` and `redirect`. */
  readonly status?: number;
  /** For `delay`: milliseconds until the true answer goes on. */
  readonly ms?: number;
  /** For `hang`: the true answer goes on once this resolves; without it, never. */
  readonly until?: Promise<unknown>;
}

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  fault: Fault | null;
  /** What the service answered, each time that it was asked. */
  readonly upstream: number[];
}

export type Intercept = (seen: Seen) => Fault | null | Promise<Fault | null>;

export interface ChaosProxy {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Decides the fate of each request from now on; null lets it pass. */
  intercept: Intercept;
  posts(): readonly Seen[];
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** `key` goes to the service instead of the caller's: a sandbox then answers for a service with keys of its own. */
export async function startChaosProxy(
  target: string,
  intercept: Intercept = () => null,
  key?: string,
): Promise<ChaosProxy> {
  const seen: Seen[] = [];
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.socket?.destroy());
  });
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await read(incoming);
    if (key !== undefined) incoming.headers.authorization = `Bearer ${key}`;
    const one: Seen = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      body: body.toString('utf8'),
      fault: null,
      upstream: [],
    };
    seen.push(one);
    const fault = await proxy.intercept(one);
    one.fault = fault;
    const forward = async () => {
      const answer = await ask(target, incoming, body);
      one.upstream.push(answer.status);
      return answer;
    };
    if (fault === null) return pass(response, await forward());
    if (fault.kind === 'delay' && fault.when === 'before') await pause(fault.ms ?? 100);
    if (fault.kind === 'delay' || fault.when === 'after') {
      const first = await forward();
      const answer = fault.kind === 'duplicate' ? await forward() : first;
      return misbehave(fault, response, answer);
    }
    if (fault.kind === 'duplicate') {
      const first = await forward();
      await forward();
      return pass(response, first);
    }
    if (fault.kind === 'hang' && fault.until !== undefined) {
      await fault.until;
      return pass(response, await forward());
    }
    return misbehave(fault, response, null);
  };
  const port = await listenOnLoopback(server);
  const proxy: ChaosProxy = {
    url: `http://127.0.0.1:${port}`,
    seen,
    intercept,
    posts: () => seen.filter((one) => one.method === 'POST'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}

async function misbehave(fault: Fault, response: ServerResponse, answer: Answer | null): Promise<void> {
  const json = { 'content-type': 'application/json' };
  switch (fault.kind) {
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'hang':
      if (fault.until === undefined) return;
      await fault.until;
      return answer === null ? undefined : pass(response, answer);
    case 'delay':
      if (fault.when === 'after') await pause(fault.ms ?? 100);
      return answer === null ? undefined : pass(response, answer);
    case 'duplicate':
      return answer === null ? undefined : pass(response, answer);
    case 'truncate': {
      const body =
        answer?.body ?? Buffer.from('{"data":{"id":"wd_1","amount":1},"error":null,"success":true}');
      response.writeHead(answer?.status ?? 201, { ...json, 'content-length': body.length });
      response.write(body.subarray(0, body.length >> 1), () => response.socket?.destroy());
      return;
    }
    case 'status':
      response.writeHead(fault.status ?? 500, json);
      response.end('{"error":"INTERNAL_ERROR","message":"Unexpected server error","success":false}');
      return;
    case 'html':
      response.writeHead(fault.status ?? 502, { 'content-type': 'text/html' });
      response.end('<html><body><h1>Bad gateway</h1></body></html>');
      return;
    case 'conflict':
      response.writeHead(409, json);
      response.end('{"error":"CONFLICT","message":"A withdrawal is already in progress","success":false}');
      return;
    case 'redirect':
      response.writeHead(fault.status ?? 307, { location: '/withdrawals' });
      response.end();
      return;
    case 'garbage':
      response.writeHead(201, json);
      response.end('{"data":{"id":');
      return;
  }
}

function pass(response: ServerResponse, answer: Answer): void {
  const headers = { ...answer.headers };
  delete headers['transfer-encoding'];
  delete headers.connection;
  response.writeHead(answer.status, { ...headers, 'content-length': answer.body.length });
  response.end(answer.body);
}

function ask(target: string, incoming: IncomingMessage, body: Buffer): Promise<Answer> {
  const url = new URL(incoming.url ?? '/', target);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method: incoming.method, headers: { ...incoming.headers, host: url.host, connection: 'close' } },
      (reply) => {
        read(reply).then(
          (content) => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: content }),
          reject,
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function read(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Every fault of the matrix, each before and after the effect. */
export const everyFault: readonly Fault[] = (['before', 'after'] as const).flatMap((when) => [
  { kind: 'reset', when },
  { kind: 'hang', when },
  { kind: 'truncate', when },
  { kind: 'status', when, status: 500 },
  { kind: 'status', when, status: 503 },
  { kind: 'html', when, status: 502 },
  { kind: 'html', when, status: 200 },
  { kind: 'conflict', when },
  { kind: 'redirect', when, status: 307 },
  { kind: 'redirect', when, status: 302 },
  { kind: 'garbage', when },
  { kind: 'duplicate', when },
]);

/** A POST meets a fault with probability `rate`, drawn from `seed`; reads pass unless `reads` says so. */
export function randomFaults(
  seed: number,
  rate: number,
  { reads = 0, kinds = everyFault }: { reads?: number; kinds?: readonly Fault[] } = {},
): Intercept {
  const next = seeded(seed);
  return (seen) => {
    const share = seen.method === 'POST' ? rate : reads;
    if (next() >= share) return null;
    return kinds[Math.floor(next() * kinds.length)] ?? null;
  };
}
