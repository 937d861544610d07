import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { reservePorts } from '../../src/sandbox/reserve-ports.ts';

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

it('takes one free port, the same at ::1 and at 127.0.0.1', async () => {
  const ports = await reservePorts('::1', 0);
  expect(ports.map(({ port }) => port)).toEqual([ports[0]?.port, ports[0]?.port]);
  await expect(reservePorts('127.0.0.1', ports[0]?.port ?? 0)).rejects.toMatchObject({ code: 'PORT' });
  for (const port of ports) await port.close();
});

it.each(['0.0.0.0', '::', '127.0.0.1'])('takes %s with one socket', async (host) => {
  const ports = await reservePorts(host, 0);
  expect(ports.length).toBe(1);
  await ports[0]?.close();
});

it('holds the port at neither address if it is taken at one', async () => {
  const port = await taken('127.0.0.1');
  await expect(reservePorts('::1', port)).rejects.toThrow(`port ${port} on 127.0.0.1 is taken`);
  expect(await outcomeOf('::1', port)).toBe('ECONNREFUSED');
  const other = await taken('::1');
  await expect(reservePorts('::1', other)).rejects.toThrow(`port ${other} on ::1 is taken`);
  expect(await outcomeOf('127.0.0.1', other)).toBe('ECONNREFUSED');
});

it.each(['192.0.2.1', '2001:db8::1'])('says that %s is not an address of this machine', async (host) => {
  await expect(reservePorts(host, 0)).rejects.toMatchObject({
    code: 'PORT',
    message: expect.stringContaining('this machine has no such address'),
    hint: expect.stringContaining('--host'),
  });
});
