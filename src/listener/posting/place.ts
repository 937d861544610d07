/** Where an address leads. */
import type { ClientRequestArgs } from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { hostToConnect, isThisMachine } from './target.ts';

export interface Place {
  readonly address: string;
  readonly secure: boolean;
  /** As the header `Host` tells it. */
  readonly host: string;
  readonly options: ClientRequestArgs;
}

/** Read once: it is the same for nearly every post. */
export function placeOf(address: string): Place {
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

let last: Place = { address: '', secure: false, host: '', options: {} };
