/** What the address of a service may be: https, or http to this machine, and nothing but an address. */
import { isLoopback } from './loopback.ts';

/** Reads the URL. If it must not be called, returns the reason instead, worded to follow "it". */
export function readBaseUrl(text: string): URL | string {
  const url = URL.parse(text);
  if (url === null) return 'is not a URL';
  if (url.username !== '' || url.password !== '') return 'must not have a user name or password';
  if (url.search !== '' || url.hash !== '') return 'has a query or a fragment';
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return 'is plain http, which would show the key to the network; only https is allowed, or http to this machine';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'is neither https nor http';
  return url;
}

/** The URL's path, empty or `/...` without a trailing slash: every call lies below it. */
export const prefixOf = ({ pathname }: URL): string => pathname.replace(/\/+$/, '');
