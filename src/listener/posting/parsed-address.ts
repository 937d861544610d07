/** Resolves where an address leads. */
import type { ClientRequestArgs } from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { hostToConnect, isThisMachine } from './target.ts';

export interface ParsedAddress {
  readonly address: string;
  readonly secure: boolean;
  /** The value of the `Host` header. */
  readonly host: string;
  readonly options: ClientRequestArgs;
}

/** Parses an address. The last one is cached, because it is the same for nearly every post. */
export function parseAddress(address: string): ParsedAddress {
  if (last.address === address) return last;
  const url = new URL(address);
  const secure = url.protocol === 'https:';
  const hostname = hostToConnect(url.hostname);
  const options = {
    ...urlToHttpOptions(url),
    ...(secure ? { rejectUnauthorized: !isThisMachine(url.hostname) } : {}),
    ...(hostname === 'localhost' ? { hostname, servername: url.hostname } : {}),
  };
  last = { address, secure, host: url.host, options };
  return last;
}

let last: ParsedAddress = { address: '', secure: false, host: '', options: {} };
