/** Hosts of a private network, of which the internet knows nothing. */
import { isLoopback } from './loopback.ts';

/**
 * Whether a host, as `URL` writes it, is not this machine and cannot be on the internet: a name without a dot, one
 * below `local`, `internal`, `home.arpa` or `localhost`, or an address of RFC 1918 or RFC 4193. Names are not resolved.
 * Link-local addresses are not among them: at one of them, clouds hand out credentials.
 */
export const isPrivateHost = (hostname: string): boolean =>
  !isLoopback(hostname) && forms.some((form) => form.test(hostname));

const forms = [
  /^[\w-]+$/,
  /\.(local|internal|home\.arpa|localhost)$/,
  /^(10\.\d+|172\.(1[6-9]|2\d|3[01])|192\.168)\.\d+\.\d+$/,
  /^\[f[cd][\da-f]{2}:/,
];
