/**
 * One HTTP/1.1 exchange over undici, as facts (see `exchange.ts`). TLS is always verified, redirects are never
 * followed, a POST never shares a connection, and nothing here retries. No other file knows undici: another transport
 * would only have to give the same facts.
 */
import type { Dispatcher } from 'undici';
import type { Clock } from '../clock.ts';
import { configError } from '../errors.ts';
import type { Environment } from '../flags/environment.ts';
import { createByteBuffer } from '../plain/byte-buffer.ts';
import type { Exchange, OutgoingRequest, Reply } from './exchange.ts';
import { GiveUpError, type OpenExchange, openExchange } from './open-exchange.ts';
import { noProxyHosts, proxyOf } from './proxy.ts';
import type { Target } from './target.ts';

interface TransportOptions {
  readonly target: Target;
  readonly clock: Clock;
  /** For `HTTPS_PROXY` and `NO_PROXY`, in either case. */
  readonly environment: Environment;
}

/** A request as it goes out, with its complete path and its headers. */
export interface WireRequest extends OutgoingRequest {
  readonly headers: Readonly<Record<string, string>>;
}

export interface Transport {
  /** Never rejects. */
  exchange(request: WireRequest): Promise<Exchange>;
  close(): Promise<void>;
}

/** Limit on the body of one answer, in bytes. */
const maxBytes = 8 * 1024 * 1024;
/** Limit on the headers of one answer, in bytes: that of node:http. */
const maxHeaderSize = 16 * 1024;

/** Opens nothing before the first exchange. A GET uses a connection that is kept; anything else gets its own. */
export function openTransport(options: TransportOptions): Transport {
  let sharedLine: Promise<Line> | undefined;
  return {
    async exchange(request) {
      const fresh = isFresh(request);
      let line: Line;
      try {
        sharedLine ??= fresh ? undefined : openLine(options);
        line = await (fresh || sharedLine === undefined ? openLine(options) : sharedLine);
      } catch (cause) {
        return { kind: 'not-sent', cause };
      }
      const exchange = await dispatch(line, request, options);
      if (fresh) void line.end().catch(() => {});
      return exchange;
    },
    async close() {
      // A failure to open it has been reported already.
      await sharedLine?.then(
        (it) => it.end(),
        () => {},
      );
    },
  };
}

/** Connections to the service, and their end. */
interface Line {
  readonly dispatcher: Dispatcher;
  /**
   * Bytes of the last answer's body: what to expect of an answer that does not give its length, as the pages of a list.
   */
  lastBytes: number;
  end(): Promise<void>;
}

async function openLine(options: TransportOptions): Promise<Line> {
  const over = new AbortController();
  const dispatcher = await openDispatcher(options, over.signal);
  return {
    dispatcher,
    lastBytes: 0,
    async end() {
      const destroyed = dispatcher.destroy();
      // undici does not end a connection that is being established, and an unanswered handshake would keep the process
      // alive.
      over.abort('over');
      await destroyed;
    },
  };
}

/** Only a read may reuse an earlier connection, which the other side may be closing at this moment. */
const isFresh = ({ method }: WireRequest): boolean => method !== 'GET';

/**
 * `signal` ends every connection, even one that is still being established. Throws `configError` (78) if nothing can be
 * sent from this process: no later try would do better.
 */
async function openDispatcher(
  { target, environment }: TransportOptions,
  signal: AbortSignal,
): Promise<Dispatcher> {
  if (!('WebAssembly' in globalThis))
    throw configError(
      'NO_WEBASSEMBLY',
      'This Node has no WebAssembly, with which answers are read. Nothing was sent.',
      'Run it without --jitless, which may stand in NODE_OPTIONS or behind node.',
    );
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
      noProxy: noProxyHosts(environment),
    });
  }
  const { default: Pool } = await import('undici/lib/dispatcher/pool.js');
  return new Pool(target.origin, { ...common, connect: tls });
}

/** Makes one exchange on that line. Resolves once: with a reply, or with the one fact about a failure that matters. */
function dispatch(line: Line, request: WireRequest, { target, clock }: TransportOptions): Promise<Exchange> {
  const exchange = openExchange(request, clock);
  if (!exchange.isOver) {
    const { method, path, headers, body = null } = request;
    const reset = isFresh(request);
    const handler = hear(exchange, line);
    line.dispatcher.dispatch({ origin: target.origin, method, path, headers, body, reset }, handler);
  }
  return exchange.result;
}

/** Translates undici's events into what the exchange must hear: its start, its whole answer, or its failure. */
function hear(exchange: OpenExchange, line: Line): Dispatcher.DispatchHandler {
  let status = 0;
  let headers: Reply['headers'] = {};
  let size = 0;
  let body = createByteBuffer(maxBytes);
  return {
    onRequestStart(controller) {
      exchange.start(controller);
    },
    onResponseStart(_, code, received) {
      if (code < 200) return;
      status = code;
      headers = Object.fromEntries(Object.entries(received).filter(isSet));
      body = createByteBuffer(
        maxBytes,
        Number(headers['content-length']) || line.lastBytes + (line.lastBytes >> 4),
      );
    },
    onResponseData(_, chunk) {
      size += chunk.byteLength;
      if (size > maxBytes) return exchange.giveUp(new GiveUpError('TOO_LARGE'));
      body.add(chunk);
    },
    onResponseEnd() {
      line.lastBytes = size;
      exchange.answer({ status, headers, body: body.all() });
    },
    onResponseError(_, cause) {
      exchange.fail(cause);
    },
  };
}

const isSet = <T>(entry: [string, T | undefined]): entry is [string, T] => entry[1] !== undefined;
