/** A sandbox most of whose connections are taken by somebody who sends no request. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { assemble } from '../../../src/sandbox/assembly.ts';
import { reservePorts } from '../../../src/sandbox/reserve-ports.ts';
import { serveSandbox } from '../../../src/sandbox/wire/server.ts';
import { noSecondLoopback, skipped } from '../../support/platform.ts';

/** A sandbox with 8 connections for each address: 127.0.0.1 and `host`. */
async function startSmallSandbox(host: string) {
  const told: unknown[] = [];
  const report = (cause: unknown) => void told.push(cause);
  const ports = await reservePorts(host, 0);
  const { world, faults, log, era, close } = assemble({
    ...{ state: null, settings: {}, merchant: {}, apiKey: undefined, hasSecretKeys: false },
    ...{ deliveryTimeoutMs: undefined, report },
  });
  const pressure = { toldAt: Number.NEGATIVE_INFINITY };
  const closing = ports.map((port) =>
    serveSandbox(port, {
      ...{ world, faults, log, report, isOpen: () => true, era: () => era, maxConnections: 8, pressure },
      control: () => Promise.reject(new Error('nobody asks for it')),
    }),
  );
  const clients: Socket[] = [];
  return {
    told,
    async come(says = '', address = '127.0.0.1') {
      const client = connect(ports[0]?.port ?? 0, address).on('error', () => {});
      clients.push(client);
      await once(client, 'connect');
      if (says !== '') {
        client.write(says);
        await once(client, 'data');
      }
      return client.resume();
    },
    async close() {
      for (const client of clients) client.destroy();
      await Promise.all(closing.map((end) => end()));
      await close();
    },
  };
}

const closedOf = (sockets: readonly Socket[]): number => sockets.filter(({ closed }) => closed).length;
const tooMany = expect.objectContaining({ code: 'TOO_MANY_CONNECTIONS' });

it('closes them, says so once, and keeps whoever has sent a request of any kind', async () => {
  const { come, told, close } = await startSmallSandbox('127.0.0.1');
  const known = [
    await come('GET /health HTTP/1.1\r\nHost: a\r\n\r\n'),
    await come('GET /health HTTP/1.1\r\nHost: a\r\nExpect: nothing\r\n\r\n'),
  ];
  const strangers: Socket[] = [];
  for (let count = 0; count < 6; count += 1) strangers.push(await come());
  await expect.poll(() => closedOf(strangers), { timeout: 5_000 }).toBeGreaterThanOrEqual(2);
  await sleep(50);
  expect(closedOf(known)).toBe(0);
  expect(told).toEqual([tooMany]);
  await close();
});

it.skipIf(noSecondLoopback !== null)(
  skipped('says so once for all of its addresses', noSecondLoopback),
  async () => {
    const { come, told, close } = await startSmallSandbox('127.0.0.2');
    const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, strangers: [] as Socket[] }));
    for (const { address, strangers } of addresses)
      for (let count = 0; count < 8; count += 1) strangers.push(await come('', address));
    for (const { strangers } of addresses)
      await expect.poll(() => closedOf(strangers), { timeout: 5_000 }).toBeGreaterThanOrEqual(1);
    expect(told).toEqual([tooMany]);
    await close();
  },
);
