/** Hosts of a private network, of which the internet knows nothing, and those in it to which nothing may be sent. */
import { isLoopback } from './loopback.ts';

/**
 * Whether a host, as `URL` writes it, is not this machine and cannot be on the internet: a name without a dot, one
 * below `local`, `internal`, `home.arpa` or `localhost`, or an address of RFC 1918 or RFC 4193. Names are not resolved.
 * Link-local addresses are not among them, nor others where clouds hand out credentials.
 */
export const isPrivateHost = (hostname: string): boolean =>
  !isLoopback(hostname) &&
  !isMetadataAddress(hostname.replace(/^\[|\]$/g, '')) &&
  forms.some((form) => form.test(hostname));

/**
 * Whether a cloud hands out the credentials of its machines at this address, as a connected socket writes it. A name
 * may lead there as well: `metadata` and `instance-data` do in some clouds.
 */
export const isMetadataAddress = (address: string): boolean =>
  metadata.test(address.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*/, ''));

/** AWS and most others, its containers; Tencent; Alibaba; Oracle; Azure; by IPv6 AWS, Google, OpenStack and NAT64. */
const metadata =
  /^(169\.254\.(169|170)\.\d+|169\.254\.0\.23|100\.100\.100\.200|192\.0\.0\.192|168\.63\.129\.16|fd00:ec2:.*|fd20:ce:.*|(fe80|64:ff9b)::a9fe:a9fe)$/;

const forms = [
  /^[\w-]+$/,
  /\.(local|internal|home\.arpa|localhost)$/,
  /^(10\.\d+|172\.(1[6-9]|2\d|3[01])|192\.168)\.\d+\.\d+$/,
  /^\[f[cd][\da-f]{2}:/,
];
