/** What the address of a service may be: https, or http to this machine; and nothing in it that is not the address. */
import { isLoopback } from './loopback.ts';

/** The URL, without query and fragment; or why it must not be called, to stand behind "it". */
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

/** Its path, empty or `/...` without a trailing slash: below it lies every call. */
export const prefixOf = ({ pathname }: URL): string => pathname.replace(/\/+$/, '');
