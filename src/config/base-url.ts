/** Addresses of the service: https, or http to this machine only; a key belongs to one exact origin. */
import { isLoopback } from '../contract/loopback.ts';
import { usageError } from '../errors.ts';

/**
 * `https://host[:port][/prefix]` without a trailing slash. Throws a usage error (64) for anything else:
 * http beyond loopback, a user name, a query, a fragment.
 */
export function parseBaseUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) throw wrong(text, 'it is not a URL');
  if (url.username !== '' || url.password !== '')
    throw wrong(text, 'it must not have a user name or password');
  if (url.search !== '' || url.hash !== '') throw wrong(text, 'it has a query or a fragment');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw wrong(
      text,
      'http would show the key to the network; only https is allowed, or http to this machine',
    );
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw wrong(text, 'it is neither https nor http');
  return plain(url);
}

/** Whether two addresses are one, however they are written: the settings file may have been edited. */
export const isSameAddress = (one: string, other: string): boolean =>
  plain(new URL(one)) === plain(new URL(other));

const plain = ({ origin, pathname }: URL): string => origin + pathname.replace(/\/+$/, '');

/** What has an @ may hold a password, also where it is no URL. */
const wrong = (text: string, why: string) =>
  usageError(
    `The address ${JSON.stringify(text.includes('@') ? '(with credentials)' : text)} cannot be used: ${why}. Nothing was sent.`,
    'Give it like https://api.example.com or http://127.0.0.1:4010.',
  );

export const originOf = (baseUrl: string): string => new URL(baseUrl).origin;
