import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, it } from 'vitest';
import { listenOnLoopback } from '../../support/listen-on-loopback.ts';
import { deliveryWorld } from '../support/delivery-world.ts';

const file = (name: string) => readFileSync(new URL(`../../support/tls/${name}`, import.meta.url), 'utf8');

async function tlsReceiver() {
  const bodies: string[] = [];
  const server = createServer(
    { key: file('untrusted.key'), cert: file('untrusted.pem') },
    (request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
      request.on('end', () => response.writeHead(204).end());
    },
  );
  server.on('tlsClientError', () => {});
  const port = await listenOnLoopback(server);
  return {
    bodies,
    url: `https://localhost:${port}/hook`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

it('trusts no certificate that the machine does not trust: a network failure, with its reason', async () => {
  await using hook = await tlsReceiver();
  await using world = deliveryWorld({ to: hook.url });
  world.emit();
  await world.advance(60);
  const [delivery] = world.sent.list();
  expect(delivery).toMatchObject({
    state: 'FAILED',
    attempts: [{ number: 1 }, { number: 2 }, { number: 3 }],
  });
  expect(delivery?.reason).toMatch(/^network failure: .*(SELF_SIGNED|UNABLE_TO_VERIFY)/);
  expect(hook.bodies).toEqual([]);
});

it.each([
  ['as it is mostly written', (url: string) => url],
  ['in capitals', (url: string) => url.replace('https', 'HTTPS')],
  ['with a space in front of it', (url: string) => ` ${url}`],
])('delivers over TLS to a certificate that the machine trusts, the address %s', async (_, written) => {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, file('untrusted.pem')]);
  try {
    await using hook = await tlsReceiver();
    await using world = deliveryWorld({ to: written(hook.url) });
    const { id } = world.emit();
    await world.advance(0);
    expect(world.sent.list()).toMatchObject([{ state: 'DELIVERED', eventId: id }]);
    expect(JSON.parse(hook.bodies.join(''))).toMatchObject({ id, event: 'CHARGE_PAID' });
  } finally {
    setDefaultCACertificates(before);
  }
});
