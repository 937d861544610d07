/**
 * Where requests go, and which key may go there (docs/requests.md, "Where a key goes"). Decided before anything is
 * sent: a key is bound to one exact origin, and http and sandbox keys stay on this machine.
 */
import { adviceFor, prefixOf, readBaseUrl } from '../contract/base-url.ts';
import { isLoopback } from '../contract/loopback.ts';
import { sandboxKeyPrefix } from '../contract/sandbox-key.ts';
import { configError, PixctlError, usageError } from '../errors.ts';
import { defaultRemedies, type Remedies } from './remedies.ts';

export interface Target {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly host: string;
  /** The path below which every call lies: empty, or `/...` without a trailing slash. */
  readonly prefix: string;
  readonly secure: boolean;
  readonly loopback: boolean;
}

/** Reads a base URL. Throws `configError` (78) for one that must not be called. */
export function parseTarget(baseUrl: string): Target {
  const url = readBaseUrl(baseUrl);
  if (typeof url === 'string') {
    throw configError('BASE_URL', `The base URL ${url}. Nothing was sent.`, adviceFor(url));
  }
  return {
    origin: url.origin,
    host: url.host,
    prefix: prefixOf(url),
    secure: url.protocol === 'https:',
    loopback: isLoopback(url.hostname),
  };
}

/**
 * Returns the key, unless it must not go to `target`: throws if there is none or it is malformed (77), for a sandbox
 * key beyond loopback, and for any other key to an origin known to be a sandbox (78). No message contains the key.
 */
export function keyFor(
  target: Target,
  key: string | null,
  sandboxOrigins: readonly string[] = [],
  remedies: Remedies = defaultRemedies,
): string {
  if (key === null || key === '') {
    throw new PixctlError('auth', 'NO_KEY', `There is no API key for ${target.host}. Nothing was sent.`, {
      hint: remedies.missingKey,
    });
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new PixctlError(
      'auth',
      'BAD_KEY',
      'The API key has characters that no key can have. Nothing was sent.',
      {
        hint: remedies.refusedKey,
      },
    );
  }
  if (key.startsWith(sandboxKeyPrefix) && !target.loopback) {
    throw configError(
      'SANDBOX_KEY',
      `This key belongs to a local sandbox, and ${target.host} is not on this machine. Nothing was sent.`,
      remedies.sandboxKey,
    );
  }
  if (!key.startsWith(sandboxKeyPrefix) && sandboxOrigins.includes(target.origin)) {
    throw configError(
      'REAL_KEY_TO_SANDBOX',
      `${target.origin} is a sandbox, and this is not a sandbox key. Nothing was sent.`,
      remedies.realKey,
    );
  }
  return key;
}

/**
 * The request target of `path` below the base URL. Refuses (64) what could change the host or climb out of the base:
 * another origin, `..` in any spelling, backslashes, control characters.
 */
export function pathBelow(target: Target, path: string): string {
  const wrong = (why: string) =>
    usageError(`The path ${why}. Nothing was sent.`, 'Use a path such as /customers/cust_1.');
  if (!path.startsWith('/') || path.startsWith('//')) throw wrong('does not start with one slash');
  if (/[^\x21-\x7e]|[\\#]/.test(path)) throw wrong('has characters that must be percent-encoded');
  const [onlyPath = ''] = path.split('?');
  if (onlyPath.split('/').some((part) => /^(\.|%2e){1,2}$/i.test(part)))
    throw wrong('has a part that is . or ..');
  if (/%2f|%5c|%00/i.test(onlyPath) && /(\.|%2e){2}/i.test(onlyPath))
    throw wrong('hides .. behind an encoded character');
  const url = new URL(target.origin + target.prefix + path);
  if (url.origin !== target.origin) throw wrong('leads to another origin');
  return url.pathname + url.search;
}
