/**
 * One HTTP/1.1 exchange over undici, as facts (see `exchange.ts`). TLS is always verified, redirects
 * are never followed, a POST never shares a connection, nothing here retries. This is the only file that
 * knows undici: another transport only has to give the same facts.
 */
import type { Dispatcher } from 'undici';
import type { Clock } from '../clock.ts';
import type { Environment } from '../flags/environment.ts';
import { gather } from '../plain/gather.ts';
import type { Exchange, OutgoingRequest } from './exchange.ts';
import { passedBy, proxyOf } from './proxy.ts';
import type { Target } from './target.ts';

export interface TransportOptions {
  readonly target: Target;
  readonly clock: Clock;
  /** For `HTTPS_PROXY` and `NO_PROXY`, in either case. */
  readonly environment: Environment;
  /** Bound on one answer's body, bytes. */
  readonly maxBytes?: number;
}

/** A request as it goes out: the path complete, the headers decided. */
export interface WireRequest extends Omit<OutgoingRequest, 'timeoutMs'> {
  readonly timeoutMs: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Transport {
  /** Never rejects. */
  exchange(request: WireRequest): Promise<Exchange>;
  close(): Promise<void>;
}

/** Why this side gave up an exchange; `classify.ts` reads `code`. */
export class GivenUp extends Error {
  readonly code: 'DEADLINE' | 'ABORTED' | 'TOO_LARGE' | 'STARTED_TWICE';
  constructor(code: GivenUp['code'], cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

const defaultMaxBytes = 8 * 1024 * 1024;
/** Bound on one answer's headers, bytes: node:http's own. */
const maxHeaderSize = 16 * 1024;

export function openTransport(options: TransportOptions): Transport {
  let kept: Promise<Line> | undefined;
  return {
    async exchange(request) {
      const fresh = isFresh(request);
      let line: Line;
      try {
        kept ??= fresh ? undefined : openLine(options);
        line = await (fresh || kept === undefined ? openLine(options) : kept);
      } catch (cause) {
        return { kind: 'not-sent', started: false, cause };
      }
      const told = await dispatch(line.dispatcher, request, options);
      if (fresh) void line.end().catch(() => {});
      return told;
    },
    async close() {
      // A failure to open it has been reported already.
      await kept?.then(
        (it) => it.end(),
        () => {},
      );
    },
  };
}

/** Connections to the service, and their end. */
interface Line {
  readonly dispatcher: Dispatcher;
  end(): Promise<void>;
}

async function openLine(options: TransportOptions): Promise<Line> {
  const over = new AbortController();
  const dispatcher = await openDispatcher(options, over.signal);
  return {
    dispatcher,
    async end() {
      const destroyed = dispatcher.destroy();
      // undici does not end a connection that is being made; an unanswered handshake would keep the process alive.
      over.abort('over');
      await destroyed;
    },
  };
}

/** Only a read may use a connection kept from before: the other side may be closing it at this moment. */
const isFresh = (request: WireRequest): boolean => request.freshConnection ?? request.method !== 'GET';

/** `signal` ends every connection, also one that is only being made. */
async function openDispatcher(
  { target, environment }: TransportOptions,
  signal: AbortSignal,
): Promise<Dispatcher> {
  // Our own deadline bounds the whole exchange, so undici's partial ones are off.
  const tls = { rejectUnauthorized: true, allowH2: false, timeout: 0, signal };
  const common = {
    allowH2: false,
    pipelining: 1,
    connections: 4,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize,
  };
  const proxy = target.secure ? proxyOf(environment) : null;
  if (proxy !== null) {
    // The whole package: its proxy agent calls methods that only its entry point adds.
    const { EnvHttpProxyAgent } = await import('undici');
    return new EnvHttpProxyAgent({
      ...common,
      connect: tls,
      requestTls: { rejectUnauthorized: true, signal },
      proxyTls: { rejectUnauthorized: true, signal },
      httpProxy: '',
      httpsProxy: proxy,
      noProxy: passedBy(environment),
    });
  }
  const { default: Pool } = await import('undici/lib/dispatcher/pool.js');
  return new Pool(target.origin, { ...common, connect: tls });
}

/** One exchange on that dispatcher. Resolves once: with a reply, or with the one fact that matters of a failure. */
function dispatch(
  dispatcher: Dispatcher,
  request: WireRequest,
  options: TransportOptions,
): Promise<Exchange> {
  const { target, clock, maxBytes = defaultMaxBytes } = options;
  return new Promise((resolve) => {
    const over = new AbortController();
    let started = false;
    let settled = false;
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let headers: Record<string, string | string[]> = {};
    let size = 0;
    const body = gather(maxBytes);

    const settle = (exchange: Exchange) => {
      if (settled) return;
      settled = true;
      // With a reason of our own, because the default one is an error with a stack.
      over.abort('settled');
      request.signal?.removeEventListener('abort', onAbort);
      resolve(exchange);
    };
    const fail = (cause: unknown) =>
      settle(started ? { kind: 'lost', started, cause } : { kind: 'not-sent', started: false, cause });
    const giveUp = (why: GivenUp) => {
      if (settled) return;
      fail(why);
      controller?.abort(why);
    };
    // A request that may have had an effect is awaited to its end: giving up would only lose the answer.
    const onAbort = () => {
      if (!started || request.method === 'GET') giveUp(new GivenUp('ABORTED', request.signal?.reason));
    };

    if (request.signal?.aborted) return onAbort();
    request.signal?.addEventListener('abort', onAbort, { once: true });
    void clock.sleep(request.timeoutMs, over.signal).then(() => {
      if (settled) return;
      // After a suspension timers run before sockets are read: an answer that came meanwhile is read first.
      setImmediate(() => giveUp(new GivenUp('DEADLINE')));
    });

    dispatcher.dispatch(
      {
        origin: target.origin,
        method: request.method,
        path: request.path,
        headers: request.headers,
        body: request.body ?? null,
        reset: isFresh(request),
      },
      {
        onRequestStart(given) {
          // Throwing here puts no byte on the wire: after a settled exchange, and on undici's own second try.
          if (settled) throw new GivenUp('ABORTED');
          if (started) throw new GivenUp('STARTED_TWICE');
          request.beforeFirstByte?.();
          started = true;
          controller = given;
        },
        onResponseStart(_, code, received) {
          if (code < 200) return;
          status = code;
          headers = Object.fromEntries(
            Object.entries(received).filter(
              (entry): entry is [string, string | string[]] => entry[1] !== undefined,
            ),
          );
        },
        onResponseData(_, chunk) {
          size += chunk.byteLength;
          if (size > maxBytes) return giveUp(new GivenUp('TOO_LARGE'));
          body.add(chunk);
        },
        onResponseEnd() {
          settle({ kind: 'reply', started: true, reply: { status, headers, body: body.all() } });
        },
        onResponseError(_, cause) {
          fail(cause);
        },
      },
    );
  });
}
