/** What `pixctl api` may request: which methods, and paths of the profile's own service only. */
import type { OutgoingRequest } from '../../api/exchange.ts';
import { PixctlError, usageError } from '../../errors.ts';
import { rewrittenPath } from '../../flags/file-remedies.ts';

export type Method = OutgoingRequest['method'];
const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Accepts any case. Throws a usage error (64) that lists the methods. */
export function parseMethod(text: string): Method {
  const method = text.toUpperCase();
  if (methods.includes(method)) return method as Method;
  throw usageError(`"${text}" is not one of ${methods.join(', ')}. Nothing was sent.`);
}

/**
 * Returns the path below `baseUrl`. A whole URL is accepted if it lies below it; any other origin is refused (64),
 * because the key belongs to this one.
 */
export function parsePath(text: string, baseUrl: string): string {
  if (!/^[a-z][a-z0-9+.-]*:|^[\\/]{2}/i.test(text)) return text.startsWith('/') ? text : `/${text}`;
  const rewritten = rewrittenPath(text);
  if (rewritten !== undefined)
    throw usageError(
      `"${text}" is a file, not a path of the service. Nothing was sent.`,
      `${rewritten} A path may also be given without its first slash.`,
    );
  const base = new URL(baseUrl);
  const url = URL.parse(text, base.href);
  const prefix = base.pathname.replace(/\/+$/, '');
  if (url === null || url.origin !== base.origin || url.username !== '' || url.password !== '') {
    throw usageError(
      `"${text}" is not at ${base.origin}, the only origin that this key may be sent to. Nothing was sent.`,
      'Give a path, or another profile with --profile.',
    );
  }
  if (!url.pathname.startsWith(`${prefix}/`)) {
    throw usageError(`"${text}" is not below ${baseUrl}. Nothing was sent.`);
  }
  return url.pathname.slice(prefix.length) + url.search;
}

/**
 * Refuses (87) a withdrawal, which the ledger would not know and which could be sent a second time. It does so however
 * the path is spelt and whatever precedes it: if the base URL lacks its /v1, then /v1/withdrawals is what sends one. A
 * server may take /withdrawals.json for the same. `path`: the whole path at the origin, because the base URL may end
 * with part of it.
 */
export function refuseWithdrawal(method: Method, path: string): void {
  if (method === 'GET') return;
  if (!/(?:^|\/)withdrawals(?:\.[a-z]+)?\/*$/.test(normalisePath(path))) return;
  throw new PixctlError(
    'policy',
    'USE_WITHDRAW',
    'pixctl api sends no withdrawals: it keeps no record of them. Nothing was sent.',
    {
      hint: 'pixctl withdraw does, and cannot pay twice.',
    },
  );
}

/**
 * Returns the path as the laxest server would read it: decoded as often as it is encoded, without query, parameters (of
 * any part, as in `/;a=b/withdrawals`) or blanks, with either slash, and with `.` and `..` resolved.
 */
function normalisePath(path: string): string {
  // Byte by byte: whether the bytes are UTF-8 does not matter for this search.
  const decoded = path.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  if (decoded !== path) return normalisePath(decoded);
  const [onlyPath = ''] = path.replaceAll('\\', '/').split(/[?#]/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  return resolveDots(onlyPath.replace(/;[^/]*|[\u0000-\u0020]+/g, '').toLowerCase());
}

function resolveDots(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}
