/** Who is on this machine, according to what a browser says in Host, Origin and Sec-Fetch-Site. */

/** Whether a Host header names this machine's loopback; another site's rebound name does not. */
function isLoopbackHost(host: string | undefined): host is string {
  return host !== undefined && /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host);
}

/** Whether Host names this machine, and Origin, which only browsers send, names the requested page's own origin. */
export const isLocalRequest = (host: string | undefined, origin: string | undefined): host is string =>
  isLoopbackHost(host) && (origin === undefined || origin === `http://${host}`);

/**
 * Whether a browser says that another page made the request. Cookies ignore ports, and to a browser another port of
 * this machine is the same site: only this header distinguishes them. Programs send none.
 */
export const isCrossOriginRequest = (fetchSite: string | undefined): boolean =>
  fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none';
