/**
 * Carries exchanges over plain http without `node:http`, which takes twice the time, for applications that answer
 * plainly, as nearly all do. After a single unusual answer, an application is left to `node:http` for good.
 */
import type { Socket } from 'node:net';
import {
  type ConnectionPool,
  createConnectionPool,
  type PendingExchange,
} from '../../plain/connection-pool.ts';
import { token } from '../../plain/head.ts';
import {
  describeBrokenAnswer,
  describeConnectionError,
  type ExchangeHandler,
  isConnectionBroken,
  type OutgoingPost,
} from './exchange.ts';
import { answerLimit, startHttpExchange, wrapSentConnection } from './http-exchange.ts';
import { outgoingHeaders } from './outgoing-headers.ts';
import type { ParsedAddress } from './parsed-address.ts';

interface PlainExchanges {
  /** Begins an exchange. Null if it is for `node:http`. */
  begin(outgoing: OutgoingPost, address: ParsedAddress, handler: ExchangeHandler): PendingExchange | null;
  /** Closes all connections. */
  end(): void;
}

interface PlainOptions {
  /** Connections at once to one address. */
  readonly connections: number;
  /** How long an unused connection is kept. Milliseconds. */
  readonly idleMs: number;
}

/** Largest body carried here, bytes. A larger one may be answered before it is sent. */
const bodyLimit = 64 * 1024;

export function createPlainExchanges({ connections, idleMs }: PlainOptions): PlainExchanges {
  /** By address: one that hangs must not use up the connections of another address of the same application. */
  const addresses = new Map<string, ConnectionPool>();
  /** Applications left to `node:http`, by name and port. */
  const unusual = new Set<string>();

  function linesTo({ address, options }: ParsedAddress): ConnectionPool {
    let lines = addresses.get(address);
    if (lines !== undefined) return lines;
    const port = Number(options.port ?? 80);
    lines = createConnectionPool({
      host: options.hostname ?? '',
      port,
      most: connections,
      idleMs,
      answerLimit,
    });
    addresses.set(address, lines);
    return lines;
  }

  return {
    begin(outgoing, address, handler) {
      if (address.secure || unusual.has(address.host) || outgoing.body.byteLength > bodyLimit) return null;
      const request = requestOf(outgoing, address);
      if (request === null) return null;
      let pending: PendingExchange = linesTo(address).ask(request, {
        answer: ({ status, body }) => handler.answered(status, body),
        other(socket: Socket, unread: Buffer) {
          unusual.add(address.host);
          pending = startHttpExchange(
            outgoing,
            address,
            { sent: wrapSentConnection(socket, unread) },
            handler,
          );
        },
        lost(cause, { begun, kept }) {
          if (begun) handler.failed(describeBrokenAnswer(cause));
          else if (kept && isConnectionBroken(cause)) handler.stale();
          else handler.failed(describeConnectionError(cause));
        },
      });
      return {
        reached: () => pending.reached(),
        begun: () => pending.begun(),
        leave: () => pending.leave(),
      };
    },
    end() {
      for (const pool of addresses.values()) pool.end();
      addresses.clear();
    },
  };
}

/** Returns the bytes of the request. Null if a header is not valid HTTP: `node:http` then says why. */
function requestOf(outgoing: OutgoingPost, { host, options }: ParsedAddress): Buffer | null {
  let head = `POST ${options.path} HTTP/1.1\r\n`;
  for (const [name, value] of outgoingHeaders(outgoing, host)) {
    if (!token.test(name) || !text.test(value)) return null;
    head += `${name}: ${value}\r\n`;
  }
  head += 'Connection: keep-alive\r\n\r\n';
  const request = Buffer.allocUnsafe(head.length + outgoing.body.byteLength);
  request.write(head, 'latin1');
  request.set(outgoing.body, head.length);
  return request;
}

const text = /^[\t\x20-\x7e\x80-\xff]*$/;
