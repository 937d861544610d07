/** The headers of a request to an application: those received, except what belongs to one connection. */
import type { Headers } from '../store.ts';
import type { OutgoingPost } from './exchange.ts';

/** Returns the headers to send. `host`: the value of the Host header. */
export function outgoingHeaders({ headers, body }: OutgoingPost, host: string): Headers {
  const sent = headers.filter(([name]) => !connectionHeaders.has(name.toLowerCase()));
  return [...sent, ['Host', host], ['Content-Length', String(body.byteLength)]];
}

/** Headers that belong to one connection, and those that the request itself decides (RFC 9110 7.6.1). */
const connectionHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
