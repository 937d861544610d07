import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { reservePorts } from '../../src/sandbox/reserve-ports.ts';
import { noIpv6, noSecondLoopback, skipped } from '../support/platform.ts';

/** Loopback addresses besides 127.0.0.1, and why they are not here. */
const others = [
  ['127.0.0.2', noSecondLoopback],
  ['::1', noIpv6],
] as const;

const taken = async (host: string, port = 0) => {
  const server = createServer().listen({ host, port });
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

const outcomeOf = (host: string, port: number) =>
  new Promise<string>((resolve) => {
    const socket = connect({ host, port }, () => resolve('connected'));
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code));
    onTestFinished(() => void socket.destroy());
  });

for (const [host, why] of others) {
  it.skipIf(why !== null)(
    skipped(`takes one free port, the same at ${host} and at 127.0.0.1`, why),
    async () => {
      const ports = await reservePorts(host, 0);
      expect(ports.map(({ port }) => port)).toEqual([ports[0]?.port, ports[0]?.port]);
      await expect(reservePorts('127.0.0.1', ports[0]?.port ?? 0)).rejects.toMatchObject({ code: 'PORT' });
      for (const port of ports) await port.close();
    },
  );

  const title = `holds the port at neither 127.0.0.1 nor ${host} if it is taken at one`;
  it.skipIf(why !== null)(skipped(title, why), async () => {
    const port = await taken('127.0.0.1');
    await expect(reservePorts(host, port)).rejects.toThrow(`port ${port} on 127.0.0.1 is taken`);
    expect(await outcomeOf(host, port)).toBe('ECONNREFUSED');
    const other = await taken(host);
    await expect(reservePorts(host, other)).rejects.toThrow(`port ${other} on ${host} is taken`);
    expect(await outcomeOf('127.0.0.1', other)).toBe('ECONNREFUSED');
  });
}

it('takes every address with one socket', async () => {
  for (const host of ['127.0.0.1', '0.0.0.0', ...(noIpv6 === null ? ['::'] : [])]) {
    const ports = await reservePorts(host, 0);
    expect([host, ports.length]).toEqual([host, 1]);
    await ports[0]?.close();
  }
});

it.each(['192.0.2.1', '2001:db8::1'])('says that %s is not an address of this machine', async (host) => {
  await expect(reservePorts(host, 0)).rejects.toMatchObject({
    code: 'PORT',
    message: expect.stringContaining('this machine has no such address'),
    hint: expect.stringContaining('--host'),
  });
});
