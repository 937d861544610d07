/** A sandbox most of whose connections are taken by somebody who sends no request. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { assemble } from '../../../src/sandbox/assembly.ts';
import { reservePorts } from '../../../src/sandbox/reserve-ports.ts';
import { serveSandbox } from '../../../src/sandbox/wire/server.ts';

it('closes them, says so once, and keeps whoever has sent a request of any kind', async () => {
  const told: unknown[] = [];
  const report = (cause: unknown) => void told.push(cause);
  const ports = await reservePorts('127.0.0.1', 0);
  const { world, faults, log, era, close } = assemble({
    ...{ state: null, settings: {}, merchant: {}, apiKey: undefined, hasSecretKeys: false },
    ...{ deliveryTimeoutMs: undefined, report },
  });
  const closing = ports.map((port) =>
    serveSandbox(port, {
      ...{ world, faults, log, report, isOpen: () => true, era: () => era, maxConnections: 8 },
      control: () => Promise.reject(new Error('nobody asks for it')),
    }),
  );
  const clients: Socket[] = [];
  const come = async (says = '') => {
    const client = connect(ports[0]?.port ?? 0, '127.0.0.1').on('error', () => {});
    clients.push(client);
    await once(client, 'connect');
    if (says !== '') {
      client.write(says);
      await once(client, 'data');
    }
    return client.resume();
  };
  const known = [
    await come('GET /health HTTP/1.1\r\nHost: a\r\n\r\n'),
    await come('GET /health HTTP/1.1\r\nHost: a\r\nExpect: nothing\r\n\r\n'),
  ];
  const strangers: Socket[] = [];
  for (let count = 0; count < 6; count += 1) strangers.push(await come());
  const ended = () => strangers.filter(({ closed }) => closed).length;
  await expect.poll(ended, { timeout: 5_000 }).toBeGreaterThanOrEqual(2);
  await sleep(50);
  expect(known.map(({ closed }) => closed)).toEqual([false, false]);
  expect(told).toEqual([expect.objectContaining({ code: 'TOO_MANY_CONNECTIONS' })]);
  for (const client of clients) client.destroy();
  await Promise.all(closing.map((end) => end()));
  await close();
});
