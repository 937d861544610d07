/** Writes answers as `node:http` does, byte for byte. */
import { httpTime } from '../clock.ts';

export type Headers = Readonly<Record<string, string>>;

export interface Head {
  readonly status: number;
  readonly headers: Headers;
  /** Bytes of the body; null if the status allows none. */
  readonly length: number | null;
  /** Seconds for which the connection is kept afterwards; null: it is closed. */
  readonly keepAliveSeconds: number | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The last head, because an answer is often the same as the one before. */
let last: { readonly of: Head; readonly date: string; readonly text: string } | null = null;

/** The status line and the header fields, with the empty line after them. */
export function writeHead(head: Head): string {
  const date = dateAt(head.now);
  if (last !== null && last.date === date && isSame(last.of, head)) return last.text;
  last = { of: head, date, text: textOf(head, date) };
  return last.text;
}

const isSame = (one: Head, other: Head): boolean =>
  one.status === other.status &&
  one.headers === other.headers &&
  one.length === other.length &&
  one.keepAliveSeconds === other.keepAliveSeconds;

function textOf({ status, headers, length, keepAliveSeconds }: Head, date: string): string {
  let head = `HTTP/1.1 ${status} ${reasonOf(status)}\r\n`;
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
  const end =
    keepAliveSeconds === null
      ? 'Connection: close\r\n\r\n'
      : `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n\r\n`;
  if (length !== null) head += `content-length: ${length}\r\n`;
  return `${head}Date: ${date}\r\n${end}`;
}

/** Whatever followed the head of a bodiless answer would be taken for the next answer (RFC 9110 6.4.1). */
export const hasBody = (status: number): boolean => status !== 204 && status !== 304;

let second = Number.NaN;
let written = '';
function dateAt(now: number): string {
  const current = Math.floor(now / 1_000);
  if (current !== second) {
    second = current;
    written = httpTime(now);
  }
  return written;
}

/** The reason phrase of a status (RFC 9110 15). */
export const reasonOf = (status: number): string => reasons[status] ?? 'unknown';

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  203: 'Non-Authoritative Information',
  204: 'No Content',
  205: 'Reset Content',
  206: 'Partial Content',
  207: 'Multi-Status',
  208: 'Already Reported',
  226: 'IM Used',
  300: 'Multiple Choices',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  305: 'Use Proxy',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  407: 'Proxy Authentication Required',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  417: 'Expectation Failed',
  418: "I'm a Teapot",
  421: 'Misdirected Request',
  422: 'Unprocessable Entity',
  423: 'Locked',
  424: 'Failed Dependency',
  425: 'Too Early',
  426: 'Upgrade Required',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  505: 'HTTP Version Not Supported',
  506: 'Variant Also Negotiates',
  507: 'Insufficient Storage',
  508: 'Loop Detected',
  509: 'Bandwidth Limit Exceeded',
  510: 'Not Extended',
  511: 'Network Authentication Required',
};
