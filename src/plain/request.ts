/**
 * Reads the requests that nearly everybody sends: whole, small, HTTP/1.1, nothing unusual in them (RFC 9112). It
 * takes none that `node:http` would read otherwise; whatever it does not know is left to `node:http`.
 */

export interface PlainRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly target: string;
  readonly fields: Fields;
  readonly body: Buffer;
  /** How many of the bytes it is. */
  readonly end: number;
}

export interface Fields {
  /** Every header field in its order and spelling. */
  readonly all: readonly (readonly [name: string, value: string])[];
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

/** `more`: the head is whole, some of the body is missing. `other`: not for us, or a body above the limit. */
export function readPlain(
  bytes: Buffer,
  last: LastFields,
  bodyLimit: number,
): PlainRequest | 'more' | 'other' {
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
  const method = first[1] === 'GET' ? 'GET' : 'POST';
  if (fields.length > (method === 'GET' ? 0 : bodyLimit)) return 'other';
  const end = stop + blank.length + fields.length;
  if (end > bytes.length) return 'more';
  return { method, target: first[2] ?? '', fields, body: bytes.subarray(stop + blank.length, end), end };
}

const requestLine = /^(GET|POST) (\/[\w/?&=.~%+,:;@!$'()*-]*) HTTP\/1\.1$/;
const token = /^[\w!#$%&'*+.^`|~-]+$/;
const visible = /^[\t\x20-\x7e]*$/;

/** Null for fields that are malformed, that come twice, or that ask for more than a plain answer. */
function readFields(text: string): Fields | null {
  const all: [string, string][] = [];
  const known: Partial<Record<Meant, string>> = {};
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0));
    const value = line.slice(colon + 1).trim();
    const lower = name.toLowerCase();
    if (!token.test(name) || !visible.test(line) || unusual.has(lower)) return null;
    all.push([name, value]);
    if (!isMeant(lower)) continue;
    if (known[lower] !== undefined) return null;
    known[lower] = value;
  }
  const length = known['content-length'] ?? '0';
  const connection = known.connection?.toLowerCase() ?? 'keep-alive';
  if (!known.host || !/^\d{1,7}$/.test(length) || !/^(?:keep-alive|close)$/.test(connection)) return null;
  return {
    all,
    authorization: known.authorization,
    contentType: known['content-type'],
    length: Number(length),
    keepAlive: connection === 'keep-alive',
  };
}

const meant = ['host', 'authorization', 'content-type', 'content-length', 'connection'] as const;
type Meant = (typeof meant)[number];
const isMeant = (name: string): name is Meant => meant.includes(name as Meant);
const unusual = new Set(['transfer-encoding', 'expect', 'upgrade', 'proxy-connection', 'trailer', 'te']);
