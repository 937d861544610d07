/** Where events are forwarded: a port, `host:port/path` or a URL, on this machine unless allowed otherwise. */
import { isLoopback } from '../../contract/loopback.ts';
import { usageError } from '../../errors.ts';
import { isWildcard } from '../../flags/host.ts';
import { shorten } from '../../flags/shorten.ts';

/** Parses what `--forward-to` takes. Throws `usageError` (64). */
export function parseTarget(text: string, { allowRemote = false } = {}): string {
  const url = parseTargetUrl(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '' || url.port === '0') {
    throw usageError(
      `"${text}" is not an address to forward to. Nothing was sent.`,
      'Give one port (3000), host:port/path (localhost:3000/hook) or URL (http://localhost:3000/hook).',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw usageError('A forward address must not carry a user name or password. Nothing was sent.');
  }
  if (!allowRemote && /^(0\.0\.0\.0|\[::\])$/.test(url.hostname)) {
    throw usageError(
      `${url.host} is where a server listens (every address of its machine), not an address to forward to. Nothing was sent.`,
      `For this machine, give ${url.href.replace(url.hostname, 'localhost')}.`,
    );
  }
  if (!allowRemote && !isThisMachine(url.hostname)) {
    throw usageError(
      `The host ${shorten(url.host)} is not this machine, so nothing is forwarded there.`,
      'Deliveries carry personal data. Add --allow-remote if you mean it.',
    );
  }
  url.hash = '';
  return url.href;
}

/** Whether a host name means this machine. Names below `localhost` do as well, because they are reserved for that. */
export const isThisMachine = (hostname: string): boolean =>
  isLoopback(hostname) || belowLocalhost.test(hostname);

const belowLocalhost = /^([^.]+\.)+localhost$/i;

/**
 * Returns what to connect to for the host name of a URL. A name below `localhost` is loopback by RFC 6761 (6.3), and
 * browsers and curl treat it so. Many resolvers do not know it, and one that does could name another machine.
 */
export const hostToConnect = (hostname: string): string =>
  belowLocalhost.test(hostname) ? 'localhost' : withoutBrackets(hostname);

/** Strips the brackets that `URL` puts around an IPv6 address. */
const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/** Returns the port that a URL leads to, even if it is not written in it. */
export const portOf = ({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number =>
  Number(port || (protocol === 'https:' ? 443 : 80));

/**
 * Returns the first of these addresses that leads back to the listener on that host and port, which would then receive
 * its own forwards. Undefined if none does.
 */
export const findAddressLeadingTo = (
  addresses: readonly string[],
  { host, port }: { readonly host: string; readonly port: number },
): string | undefined =>
  addresses.find((address) => {
    const url = new URL(address);
    const name = withoutBrackets(url.hostname);
    const isHere = isThisMachine(name) || isWildcard(name);
    return portOf(url) === port && (isHere || name === withoutBrackets(host));
  });

/** Whether it is several addresses, which `URL` would read as the name of one host. */
export const isListOfAddresses = (text: string): boolean =>
  /^[^/?#]*,/.test(text.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, ''));

/** The shortest text that `parseTarget` reads as this URL, to tell applications apart: `3000`, `4000/hook`. */
export function formatTarget(url: string): string {
  const place = new URL(url);
  const path = place.pathname === '/' ? place.search : place.pathname + place.search;
  if (place.protocol !== 'http:') return url;
  return (place.hostname === 'localhost' ? portOf(place) : place.host) + path;
}

function parseTargetUrl(text: string): URL | null {
  // A path, or a Unix socket as other programs write it: it names no host.
  if (/^(?:[./~]|unix:)/i.test(text)) return null;
  if (isListOfAddresses(text)) return null;
  // Alone, a number would be read as an address: 3000 as 0.0.11.184.
  const port = /^:?(\d{1,5}(?:[/?#].*)?)$/.exec(text);
  if (port !== null) return URL.parse(`http://localhost:${port[1]}`);
  return URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
}
