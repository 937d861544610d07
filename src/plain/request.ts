/**
 * Reads the requests that nearly everybody sends: whole, small, HTTP/1.1, with nothing unusual in them (RFC 9112). It
 * accepts none that `node:http` would read differently; whatever it does not know is left to `node:http`.
 */
import { blank, headLimit, token, visible } from './head.ts';

export interface PlainRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly target: string;
  readonly fields: Fields;
  readonly body: Buffer;
  /** How many of the bytes belong to it. */
  readonly end: number;
}

export interface Fields {
  /** Every header field, in its original order and spelling. */
  readonly all: readonly (readonly [name: string, value: string])[];
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  /** Bytes of the body. */
  readonly length: number;
  /** False if the client wants the connection closed. */
  readonly keepAlive: boolean;
}

/** The fields of a connection's last request: those of the next are mostly the same, or all but one. */
export interface LastFields {
  text: string;
  fields: Fields | null;
  lines: readonly Line[];
}

/** What a connection without an earlier request begins with. */
export const noFields = (): LastFields => ({ text: '', fields: null, lines: [] });

interface Line {
  /** Including its line break. */
  readonly text: string;
  readonly field: readonly [name: string, value: string];
  /** Its name, if it affects how the request is read. */
  readonly meant: Meant | null;
}

const lineEnd = '\r\n';

/** `more`: the head is complete, but some of the body is missing. `other`: not for us, or a body above the limit. */
export function readPlainRequest(
  bytes: Buffer,
  last: LastFields,
  bodyLimit: number,
): PlainRequest | 'more' | 'other' {
  const stop = bytes.indexOf(blank);
  if (stop < 0 || stop > headLimit) return 'other';
  const head = bytes.toString('latin1', 0, stop + lineEnd.length);
  const line = head.indexOf(lineEnd);
  const first = requestLine.exec(head.slice(0, line));
  if (first === null) return 'other';
  const text = head.slice(line + lineEnd.length);
  if (last.text !== text) readFields(text, last);
  const { fields } = last;
  if (fields === null) return 'other';
  const method = first[1] === 'GET' ? 'GET' : 'POST';
  if (fields.length > (method === 'GET' ? 0 : bodyLimit)) return 'other';
  const end = stop + blank.length + fields.length;
  if (end > bytes.length) return 'more';
  return { method, target: first[2] ?? '', fields, body: bytes.subarray(stop + blank.length, end), end };
}

const requestLine = /^(GET|POST) (\/[\w/?&=.~%+,:;@!$'()*-]*) HTTP\/1\.1$/;

/** Leaves null if fields are malformed, come twice, or ask for more than a plain answer. */
function readFields(text: string, last: LastFields): void {
  const { lines: before, fields } = last;
  const lines: Line[] = [];
  last.text = text;
  last.fields = null;
  last.lines = lines;
  let differs = fields === null;
  for (let at = 0; at < text.length; ) {
    const known = before[lines.length];
    const line = isAt(text, at, known) ? known : readLine(text, at);
    if (line === null) return;
    // A signature differs each time, and does not affect how the request is read.
    if (line !== known && (line.meant !== null || known?.meant !== null)) differs = true;
    lines.push(line);
    at += line.text.length;
  }
  const all = lines.map(({ field }) => field);
  last.fields =
    fields === null || differs || lines.length < before.length ? fieldsOf(lines, all) : { ...fields, all };
}

const isAt = (text: string, at: number, line: Line | undefined): line is Line =>
  line !== undefined && text.startsWith(line.text, at);

function readLine(fields: string, at: number): Line | null {
  const end = fields.indexOf(lineEnd, at);
  const text = fields.slice(at, end);
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(colon, 0));
  const lower = name.toLowerCase();
  if (!token.test(name) || !visible.test(text) || unusual.has(lower)) return null;
  const field = [name, text.slice(colon + 1).trim()] as const;
  return { text: text + lineEnd, field, meant: isMeant(lower) ? lower : null };
}

function fieldsOf(lines: readonly Line[], all: Fields['all']): Fields | null {
  const known: Partial<Record<Meant, string>> = {};
  for (const { field, meant } of lines) {
    if (meant === null) continue;
    if (known[meant] !== undefined) return null;
    known[meant] = field[1];
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
const unusual = new Set([
  'transfer-encoding',
  'content-encoding',
  'expect',
  'upgrade',
  'proxy-connection',
  'trailer',
  'te',
]);
