/** An exchange carried by `node:http` or `node:https`. */
import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { PendingExchange } from '../../plain/connection-pool.ts';
import {
  describeBrokenAnswer,
  describeConnectionError,
  type ExchangeHandler,
  isConnectionBroken,
  type OutgoingPost,
} from './exchange.ts';
import { outgoingHeaders } from './outgoing-headers.ts';
import type { ParsedAddress } from './parsed-address.ts';

/** Bytes kept of an application's answer. The rest is read and dropped. */
export const answerLimit = 64 * 1024;

/** How to get the connection: kept by an agent, a new one (null), or one on which the request has been sent already. */
type ConnectionSource = { readonly agent: Agent } | null | { readonly sent: Duplex };

export function startHttpExchange(
  outgoing: OutgoingPost,
  { secure, host, options }: ParsedAddress,
  source: ConnectionSource,
  handler: ExchangeHandler,
): PendingExchange {
  const headers = outgoingHeaders(outgoing, host).flat();
  const sent = source !== null && 'sent' in source ? source.sent : null;
  const connection =
    source === null
      ? { agent: false as const }
      : 'sent' in source
        ? { createConnection: () => source.sent }
        : source;
  let reached = sent !== null;
  let begun: IncomingMessage | null = null;
  const request = (secure ? httpsRequest : httpRequest)(
    { ...options, ...connection, method: 'POST', headers, setHost: false },
    (answer) => {
      begun = answer;
      readBounded(answer).then(
        (body) => handler.answered(answer.statusCode ?? 0, body),
        (cause) => handler.failed(describeBrokenAnswer(cause)),
      );
    },
  );
  request.on('socket', (socket) => {
    if (!socket.connecting) reached = true;
    else socket.once('connect', () => (reached = true));
  });
  // No other protocol was requested, so its status is all there is to report.
  request.on('upgrade', ({ statusCode = 101 }, socket) => {
    socket.destroy();
    handler.answered(statusCode, Buffer.alloc(0));
  });
  request.on('error', (cause) => {
    // Bytes after a complete answer (the body of a 204) do not change it.
    if (begun?.complete) return;
    if (!isConnectionBroken(cause)) handler.failed(describeConnectionError(cause));
    else if (begun !== null) handler.failed(describeBrokenAnswer(cause));
    else if (request.reusedSocket) handler.stale();
    else handler.failed(describeConnectionError(cause));
  });
  request.end(outgoing.body);
  return { reached: () => reached, begun: () => begun !== null, leave: () => void request.destroy() };
}

/**
 * Wraps a connection on which the request has already gone out: drops what `node:http` writes, and lets it read the
 * answer.
 */
export function wrapSentConnection(socket: Socket, unread: Buffer): Duplex {
  const connection = new Duplex({
    read: () => void socket.resume(),
    write: (_bytes, _encoding, done) => done(),
    final(done) {
      socket.destroy();
      done();
    },
    destroy(cause, done) {
      socket.destroy();
      done(cause);
    },
  });
  connection.push(unread);
  socket.on('data', (chunk) => {
    if (!connection.push(chunk)) socket.pause();
  });
  socket.on('end', () => connection.push(null));
  socket.on('error', (cause) => connection.destroy(cause));
  return connection;
}

function readBounded(answer: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    answer.on('data', (chunk: Buffer) => {
      if (length < answerLimit) chunks.push(chunk.subarray(0, answerLimit - length));
      length += chunk.byteLength;
      // An endless answer would hold the exchange until its timeout. The status is known, so end it here.
      if (length > 64 * answerLimit) {
        finish();
        answer.destroy();
      }
    });
    answer.on('end', finish).on('error', reject);
  });
}
