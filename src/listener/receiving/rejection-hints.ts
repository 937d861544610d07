/** Says what to look at next after a refused delivery. For whoever runs the listener, never for whoever delivers. */
import { parseSignatureHeader } from '../../contract/signature/header.ts';
import type { VerifyFault } from '../../contract/signature.ts';
import type { UnreadableRequestError } from '../../plain/handed-over.ts';
import type { Headers } from '../store.ts';

/**
 * Which header names may go on a command line: a stranger may have sent it, and no shell may read it as anything else.
 */
const safeHeaderName = /^[A-Za-z][\w-]{0,63}$/;

/**
 * Returns the end of a sentence that says that there is no signature: the header that was `expected` is empty, it may
 * be in another one, or somebody may have dropped it. Assumption `signature-header`: the service's own name for it is
 * not shown.
 */
export function missingSignatureHint(headers: Headers, expected: string): string {
  if (headers.some(([name]) => name.toLowerCase() === expected.toLowerCase()))
    return `: ${expected} came, and it is empty`;
  const named = headers.filter(([name]) => safeHeaderName.test(name));
  const [found] = named.find(([, value]) => parseSignatureHeader(value).ok) ?? [];
  if (found !== undefined) return `; ${found} looks like one: give it as --signature-header ${found}`;
  const [similar] =
    named.find(([name]) => /signature/i.test(name)) ??
    named.find(([, value]) => hexHashPattern.test(value)) ??
    [];
  return similar === undefined
    ? `, ${expected}; a proxy or tunnel on the way may drop headers it does not know`
    : `; ${similar} may be one in another form: --signature-header ${similar} says what differs from t=<seconds>,v1=<hex>`;
}

/** Matches 32 bytes in hexadecimal. */
const hexHashPattern = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/i;

/**
 * Returns the end of a sentence about `reason`: what may stand between the service and here. Empty if nothing is known.
 */
export function rejectionHint(reason: VerifyFault, headers: Headers): string {
  switch (reason) {
    case 'header-duplicated':
    case 'timestamp-duplicated':
      return '; a proxy or tunnel on the way may add it a second time';
    case 'timestamp-too-old':
      return '; --tolerance allows more';
    case 'signature-mismatch':
      return compressionHint(headers);
    default:
      return '';
  }
}

function compressionHint(headers: Headers): string {
  const [, encoding = ''] = headers.find(([name]) => name.toLowerCase() === 'content-encoding') ?? [];
  return /^(identity)?$/i.test(encoding.trim())
    ? ''
    : `; the body came compressed (Content-Encoding: ${encoding.slice(0, 32)}), perhaps by a proxy or tunnel after it was signed`;
}

/** First byte of every TLS connection. */
const tlsHandshakeByte = 0x16;

/**
 * Says what an unreadable request was, because nothing else of it would be seen here; null if its sender went away or
 * was too slow.
 */
export function describeUnreadable({ code = '', rawPacket }: UnreadableRequestError): string | null {
  if (!code.startsWith('HPE_') || code === 'HPE_INVALID_EOF_STATE') return null;
  if (rawPacket?.[0] === tlsHandshakeByte)
    return 'a TLS connection came (https); this listener speaks plain http: give the proxy or tunnel its address with http://';
  if (code === 'HPE_HEADER_OVERFLOW') return 'a request came with more than 16 KiB of headers';
  return `a request came that cannot be read as HTTP (${code})`;
}
