/** Whether a public address leads to a listener: one that takes deliveries at one path answers the rest with 404. */
import { createServer, type RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { startServer } from '../../../src/listener/receiving/server.ts';
import { waitUntilReachable } from '../../../src/listener/tunnel/probe.ts';
import { listenOnLoopback } from '../../support/listen-on-loopback.ts';

it.each([
  ['/pix', '/pix', 'this-one', null],
  ['/pix', '/pix?from=service', 'this-one', null],
  [null, '/anything', 'this-one', null],
  ['/pix', '/', 'this-one', 'deliveries are accepted at its path /pix only'],
  ['/pix', '/', 'another', 'it answers 200, from elsewhere'],
])('of a listener at %s the address %s, looked for as %s', async (path, target, instance, wrong) => {
  const unused = () => {
    throw new Error('no delivery came');
  };
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    path,
    signatureHeader: 'Service-Signature',
    instance: 'this-one',
    clock: systemClock,
    receiver: { receive: unused },
    onRejected: unused,
    onProbe: unused,
    onTrouble: unused,
  });
  const { signal } = new AbortController();
  const url = `http://127.0.0.1:${server.port}${target}`;
  expect(await waitUntilReachable({ url, instance, clock: systemClock, timeoutMs: 0, signal })).toBe(wrong);
  await server.close();
});

it.each<[does: string, answer: RequestListener]>([
  ['begins and never ends', (_, response) => response.write(': a beat')],
  ['never comes', () => {}],
])('an answer that %s is not waited for', async (_does, answer) => {
  const server = createServer(answer);
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}/`;
  const { signal } = new AbortController();
  const options = { url, instance: 'this-one', clock: systemClock, timeoutMs: 0, signal, answerMs: 100 };
  expect(await waitUntilReachable(options)).toBe('no whole answer within 0.1 s');
  server.closeAllConnections();
  server.close();
});
