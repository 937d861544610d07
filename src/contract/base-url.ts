/** What the address of a service may be: https, or http to this machine, and nothing but an address. */
import { isLoopback } from './loopback.ts';

/** Reads the URL. If it must not be called, returns the reason instead, worded to follow "it". */
export function readBaseUrl(text: string): URL | string {
  const url = URL.parse(text);
  if (url === null) return 'is not a URL';
  if (url.username !== '' || url.password !== '') return 'must not have a user name or password';
  if (url.search !== '' || url.hash !== '') return 'has a query or a fragment';
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return isPlainHttp;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'is neither https nor http';
  return url;
}

const isPlainHttp =
  'is plain http, which would show the key to the network; only https is allowed, or http to this machine';

/** What to do instead, for a reason that `readBaseUrl` gave. */
export const adviceFor = (reason: string): string =>
  reason === isPlainHttp
    ? 'To use a sandbox in another container, run pixctl in that container (docker compose exec) or share its network (network_mode: "service:..."): there it is at http://127.0.0.1:<port>. On another machine, it is reached through an SSH tunnel (ssh -L).'
    : 'Use an address such as https://api.example.com or http://127.0.0.1:4010.';

/** The URL's path, empty or `/...` without a trailing slash: every call lies below it. */
export const prefixOf = ({ pathname }: URL): string => pathname.replace(/\/+$/, '');
