/** Who is on this machine: what a browser says of itself in Host, Origin and Sec-Fetch-Site. */

/** Whether a Host header names this machine's loopback: a rebound name of another site does not. */
function isLoopbackHost(host: string | undefined): host is string {
  return host !== undefined && /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host);
}

/** Whether Host names this machine and Origin, which only browsers send, the very page that was asked. */
export const isAskedHere = (host: string | undefined, origin: string | undefined): host is string =>
  isLoopbackHost(host) && (origin === undefined || origin === `http://${host}`);

/**
 * Whether a browser says that another page asked. Cookies do not know of ports, and to a browser another
 * port of this machine is the same site: this header is what tells them apart. Programs send none.
 */
export const isAskedFromElsewhere = (fetchSite: string | undefined): boolean =>
  fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none';
