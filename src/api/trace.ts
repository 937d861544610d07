/**
 * `--debug`: what went over the wire, redacted by allowlist. Shows only what is named here; keys, names, tax ids, PIX
 * keys and codes are hidden, and so is any field that we do not know.
 */
import { isObject } from '../contract/json-object.ts';
import type { Exchange } from './exchange.ts';
import { parseJson } from './json.ts';
import { hidden } from './mask-key.ts';
import type { WireRequest } from './transport.ts';

const shownHeaders = [
  'content-type',
  'content-length',
  'date',
  'retry-after',
  'x-sandbox',
  'x-sandbox-assumption',
];
const shownFields = new Set([
  ...['success', 'error', 'data', 'pagination', 'hasMore', 'id', 'amount', 'fee', 'status', 'method'],
  ...[
    'expiresIn',
    'expiresAt',
    'createdAt',
    'updatedAt',
    'pixKeyType',
    'events',
    'event',
    'attempt',
    'httpStatus',
  ],
]);
const shownQuery = new Set(['id', 'limit']);

/** One trace line for a request. */
export function traceRequest(origin: string, request: WireRequest): string {
  const body = request.body === undefined ? '' : ` ${redactBody(Buffer.from(request.body))}`;
  return `> ${request.method} ${origin}${redactPath(request.path)} authorization: Bearer ${hidden}${body}`;
}

/** One trace line for its result, `elapsedMs` later. */
export function traceExchange(exchange: Exchange, elapsedMs: number): string {
  const took = `(${Math.round(elapsedMs)} ms)`;
  if (exchange.kind !== 'reply') {
    const code = (exchange.cause as { code?: unknown } | null)?.code;
    return `< ${exchange.kind} ${typeof code === 'string' ? code : ''} ${took}`;
  }
  const { status, headers, body } = exchange.reply;
  const shown = shownHeaders.flatMap((name) =>
    headers[name] === undefined ? [] : [`${name}: ${headers[name]}`],
  );
  return `< ${status} ${took} ${shown.join('; ')} ${redactBody(body)}`;
}

/** The headers of any request. One that is neither `harmless` nor known to be is shown by name, without its value. */
export const redactHeaders = (
  headers: readonly (readonly [name: string, value: string])[],
  harmless: readonly string[],
): string =>
  headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .map(([name, value]) => `${name}: ${[...shownHeaders, ...harmless].includes(name) ? value : hidden}`)
    .join('; ');

/** A path without the values of its query, which may be anything; an id or a limit is shown. */
export function redactPath(path: string): string {
  const [onlyPath = '', query] = path.split('?');
  if (query === undefined) return onlyPath;
  const parts = query.split('&').map((part) => {
    const [name = ''] = part.split('=');
    return shownQuery.has(name) ? part : `${name}=${hidden}`;
  });
  return `${onlyPath}?${parts.join('&')}`;
}

/** The fields known to be harmless; for a body without fields, only its length. */
export function redactBody(body: Uint8Array): string {
  if (body.byteLength === 0) return '';
  try {
    const json = parseJson(body);
    if (!isObject(json)) return `[${body.byteLength} bytes that are not a JSON object]`;
    const text = JSON.stringify(redact(json));
    return text.length > 2000 ? `${text.slice(0, 2000)}... (${body.byteLength} bytes)` : text;
  } catch {
    return `[${body.byteLength} bytes that are not JSON]`;
  }
}

function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 3).map(redact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, shownFields.has(key) ? redact(inner) : hidden]),
  );
}
