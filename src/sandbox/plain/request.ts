/**
 * Reads the requests that nearly everybody sends: whole, small, HTTP/1.1, nothing unusual in them. It takes
 * none that `node:http` would read otherwise; whatever it does not know is left to `node:http`.
 */
import { bodyLimit } from '../body.ts';

export interface PlainRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly target: string;
  readonly fields: Fields;
  readonly body: Buffer;
  /** How many of the bytes it is. */
  readonly end: number;
}

/** The header fields that matter here. */
export interface Fields {
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  /** Bytes of the body. */
  readonly length: number;
  /** False when the client wants the connection closed. */
  readonly keepAlive: boolean;
}

/** The fields of a connection's last request: those of the next one are mostly the same. */
export interface LastFields {
  text: string;
  fields: Fields | null;
}

const headLimit = 8 * 1024;
const blank = Buffer.from('\r\n\r\n');

/** `more`: the head is whole, some of the body is missing. `other`: not for us. */
export function readPlain(bytes: Buffer, last: LastFields): PlainRequest | 'more' | 'other' {
  const stop = bytes.indexOf(blank);
  if (stop < 0 || stop > headLimit) return 'other';
  const head = bytes.toString('latin1', 0, stop);
  const line = head.indexOf('\r\n');
  if (line < 0) return 'other';
  const first = requestLine.exec(head.slice(0, line));
  if (first === null) return 'other';
  const text = head.slice(line + 2);
  const fields = last.text === text ? last.fields : readFields(text);
  if (fields === null) return 'other';
  last.text = text;
  last.fields = fields;
  const method = first[1] as 'GET' | 'POST';
  if (fields.length > (method === 'GET' ? 0 : bodyLimit)) return 'other';
  const end = stop + blank.length + fields.length;
  if (end > bytes.length) return 'more';
  return { method, target: first[2] ?? '', fields, body: bytes.subarray(stop + blank.length, end), end };
}

const requestLine = /^(GET|POST) (\/[\w/?&=.~%+,:;@!$'()*-]*) HTTP\/1\.1$/;
const name = /^[\w!#$%&'*+.^`|~-]+$/;
const value = /^[\t\x20-\x7e]*$/;

/** Null for fields that are malformed, that come twice, or that ask for more than a plain answer. */
function readFields(text: string): Fields | null {
  const known = new Map<string, string>();
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    const field = line.slice(0, Math.max(colon, 0)).toLowerCase();
    const told = line.slice(colon + 1);
    if (!name.test(field) || !value.test(told) || unusual.has(field)) return null;
    if (!meant.has(field)) continue;
    if (known.has(field)) return null;
    known.set(field, told.trim());
  }
  const length = known.get('content-length') ?? '0';
  const connection = known.get('connection')?.toLowerCase() ?? 'keep-alive';
  if (!known.get('host') || !/^\d{1,6}$/.test(length) || !/^(keep-alive|close)$/.test(connection))
    return null;
  return {
    authorization: known.get('authorization'),
    contentType: known.get('content-type'),
    length: Number(length),
    keepAlive: connection === 'keep-alive',
  };
}

const meant = new Set(['host', 'authorization', 'content-type', 'content-length', 'connection']);
const unusual = new Set(['transfer-encoding', 'expect', 'upgrade', 'proxy-connection', 'trailer']);
