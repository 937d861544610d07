/** Who is on this machine, according to what a browser says in Host, Origin and Sec-Fetch-Site. */

/** Whether a Host header names this machine's loopback; another site's rebound name does not. */
function isLoopbackHost(host: string | undefined): host is string {
  return host !== undefined && /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host);
}

/**
 * Whether Host names this machine, and Origin, which only browsers send, names the requested page's own origin.
 *
 * @param others further names and addresses of this machine, in lower case, an IPv6 address in brackets
 */
export const isLocalRequest = (
  host: string | undefined,
  origin: string | undefined,
  others: readonly string[] = [],
): host is string =>
  (isLoopbackHost(host) || (host !== undefined && others.includes(nameIn(host)))) &&
  (origin === undefined || origin === `http://${host}`);

/** Returns the name in a Host header as `URL` writes it. Empty if it is more than a name and a port. */
const nameIn = (host: string): string =>
  /^[\w.:[\]-]+$/.test(host) ? (URL.parse(`http://${host}`)?.hostname ?? '') : '';

/**
 * Whether a browser says that another page made the request. Cookies ignore ports, and to a browser another port of
 * this machine is the same site: only this header distinguishes them. Programs send none.
 */
export const isCrossOriginRequest = (fetchSite: string | undefined): boolean =>
  fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none';
