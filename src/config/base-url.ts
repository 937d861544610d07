/** Addresses of the service: https, or http to this machine only; a key belongs to one exact origin. */
import { adviceFor, prefixOf, readBaseUrl } from '../contract/base-url.ts';
import { usageError } from '../errors.ts';

/**
 * Returns `https://host[:port][/prefix]` without a trailing slash. Throws a usage error (64) for what must not be
 * called.
 */
export function parseBaseUrl(text: string): string {
  const url = readBaseUrl(text);
  if (typeof url === 'string') throw wrong(text, url);
  return plain(url);
}

/** Whether two addresses are the same, however they are written: the settings file may have been edited. */
export const isSameAddress = (one: string, other: string): boolean =>
  plain(new URL(one)) === plain(new URL(other));

const plain = (url: URL): string => url.origin + prefixOf(url);

/** Anything with an @ may hold a password, even if it is no URL. */
const wrong = (text: string, why: string) =>
  usageError(
    `The address ${JSON.stringify(text.includes('@') ? '(with credentials)' : text)} cannot be used: it ${why}. Nothing was sent.`,
    adviceFor(why),
  );

/** Scheme, host and port of an address that has been parsed. */
export const originOf = (baseUrl: string): string => new URL(baseUrl).origin;
