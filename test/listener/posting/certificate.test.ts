/** Posts over TLS to a server whose certificate signs itself: which is taken, and how the others are told. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import {
  describeConnectionError,
  type PostResult,
  runExchange,
} from '../../../src/listener/posting/exchange.ts';
import { startHttpExchange } from '../../../src/listener/posting/http-exchange.ts';
import { parseAddress } from '../../../src/listener/posting/parsed-address.ts';
import { listenOnLoopback } from '../../support/listen-on-loopback.ts';

const file = (name: string) => readFileSync(new URL(`../../support/tls/${name}`, import.meta.url));
let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer({ key: file('untrusted.key'), cert: file('untrusted.pem') }, (_request, response) =>
    response.end('ok'),
  );
  port = await listenOnLoopback(server);
});
afterAll(() => server.close());

/** To the server, as if it had this address. */
async function post(address: string, ca?: Buffer): Promise<PostResult> {
  const place = parseAddress(address);
  const options = {
    ...place.options,
    hostname: '127.0.0.1',
    port,
    ca,
    servername: new URL(address).hostname,
  };
  const outgoing = { url: address, body: Buffer.from('{}'), headers: [], timeoutMs: 10_000 };
  const ended = await runExchange(systemClock, outgoing, (handler) =>
    startHttpExchange(outgoing, { ...place, options }, null, handler),
  );
  if (ended === 'stale') throw new Error('a new connection is never stale');
  return ended;
}

describe('a certificate that signs itself', () => {
  it.each(['https://localhost', 'https://shop.localhost', 'https://shop.localhost/hook'])(
    'is not asked for on this machine: %s',
    async (address) => {
      expect(await post(address)).toMatchObject({ status: 200 });
    },
  );

  it('is refused from another machine, with what would make it trusted', async () => {
    expect((await post('https://dev.example')).error).toBe(
      'has a TLS certificate that is from an authority unknown to this machine (DEPTH_ZERO_SELF_SIGNED_CERT; NODE_EXTRA_CA_CERTS=<file.pem> adds it, or its authority)',
    );
  });

  it('is accepted from another machine only for its own name', async () => {
    expect((await post('https://dev.example', file('untrusted.pem'))).error).toBe(
      'has a TLS certificate that is for another name (ERR_TLS_CERT_ALTNAME_INVALID)',
    );
  });
});

it.each([
  ['CERT_HAS_EXPIRED', 'has a TLS certificate that has expired (CERT_HAS_EXPIRED)'],
  ['CERT_NOT_YET_VALID', 'has a TLS certificate that is not valid yet (CERT_NOT_YET_VALID)'],
])('anything else wrong with one is reported: %s', (code, words) => {
  expect(describeConnectionError(Object.assign(new Error('certificate'), { code }))).toBe(words);
});
