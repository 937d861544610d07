/** IP addresses to listen on, and host names, as they are typed. */

/**
 * Returns an IP address as `URL` writes it, without brackets; null for anything else, also for a zone. Not with
 * `node:net`, which a start does without.
 */
export function parseAddress(text: string): string | null {
  if (/^[\da-f:.]*:[\da-f:.]*$/i.test(text))
    return URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1) ?? null;
  // Other spellings of an address, such as 127.1, become one that is not what was typed.
  return /^[\d.]+$/.test(text) && URL.parse(`http://${text}/`)?.hostname === text ? text : null;
}

/** Whether it is a host name or an IP address, without port. */
export const isHostName = (text: string): boolean =>
  parseAddress(text) !== null || /^(?![\d.]+$)[a-z0-9_][\w.-]{0,252}$/i.test(text);

/** Whether a server that listens there listens on every address of its machine. */
export const isWildcard = (address: string): boolean => address === '0.0.0.0' || address === '::';

/** An address or name as it stands in a URL. */
export const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);
