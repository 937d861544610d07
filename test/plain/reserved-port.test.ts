import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { bareTcp } from '../../src/plain/bare-tcp.ts';
import { type EarlyClient, type ReservedPort, reservePort } from '../../src/plain/reserved-port.ts';
import { listenOnLoopback } from '../support/listen-on-loopback.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Open {
  readonly door: ReservedPort;
  /** What was heard at the door, and by connections of `node:net`: how each began, and what came on it. */
  readonly told: string[];
}

/** `first` decides at the door, as in `Host`; a connection of `node:net` gets back what it sends. */
async function open(first: (heard: string, caller: EarlyClient) => boolean, tcp = bareTcp()): Promise<Open> {
  const reservedPort = await reservePort('127.0.0.1', 0, tcp);
  const told: string[] = [];
  const sockets = new Set<Socket>();
  ends.push(() => {
    const closed = reservedPort.close();
    for (const socket of sockets) socket.destroy();
    return closed;
  });
  reservedPort.open({
    maxConnections: Number.POSITIVE_INFINITY,
    dropped() {},
    first(heard, caller) {
      told.push(`at the door: ${heard}`);
      return first(heard.toString(), caller);
    },
    serve(socket, heard, answered) {
      told.push(`served${answered ? ' again' : ''}: ${heard}`);
      sockets.add(socket);
      socket.on('error', () => {}).on('end', () => socket.end());
      socket.on('data', (bytes) => socket.write(`echo ${bytes}`));
    },
  });
  return { door: reservedPort, told };
}

interface Guest {
  readonly socket: Socket;
  /** All that it has been told. */
  text(): string;
  /** `end`: told that nothing more comes; else the code of its error. */
  readonly ended: Promise<string>;
}

function call(reservedPort: ReservedPort, says = ''): Guest {
  const socket = connect(reservedPort.port, '127.0.0.1', () => says !== '' && socket.write(says));
  ends.push(() => socket.destroy());
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes;
  });
  const ended = new Promise<string>((resolve) => {
    socket
      .on('end', () => resolve('end'))
      .on('error', (error: NodeJS.ErrnoException) => resolve(`${error.code}`));
  });
  return { socket, text: () => text, ended };
}

const answering = (kept: boolean) => (heard: string, caller: EarlyClient) => {
  caller.answer(Buffer.from(`answer to ${heard};`), kept);
  return true;
};

describe('a door', () => {
  it('is there without node:net on this Node', () => {
    expect(bareTcp()).not.toBeNull();
  });

  it('answers whoever comes first, and goes on with the same connection', async () => {
    const { door, told } = await open(answering(true));
    const guest = call(door, 'one');
    await expect.poll(guest.text).toBe('answer to one;');
    guest.socket.write('two');
    await expect.poll(guest.text).toBe('answer to one;echo two');
    expect(told).toEqual(['at the door: one', 'served again: ']);
  });

  it('closes a connection that is not kept, when all is sent', async () => {
    const { door } = await open(answering(false));
    const guest = call(door, 'one');
    expect(await guest.ended).toBe('end');
    expect(guest.text()).toBe('answer to one;');
  });

  it('sends an answer larger than the system takes at once', async () => {
    const large = Buffer.alloc(8 * 1024 * 1024, 'x');
    const { door } = await open((_, caller) => {
      caller.answer(large, false);
      return true;
    });
    const guest = call(door, 'one');
    expect(await guest.ended).toBe('end');
    expect(guest.text().length).toBe(large.length);
  });

  it('serves several that come at once, whoever is first', async () => {
    const { door } = await open(answering(true));
    const guests = ['a', 'b', 'c', 'd'].map((name) => ({ name, guest: call(door, name) }));
    for (const { name, guest } of guests)
      await expect.poll(guest.text).toMatch(new RegExp(`^(answer to ${name};|echo ${name})$`));
  });

  it('hands a connection with what was heard of it to node:net where that is needed', async () => {
    const { door, told } = await open(() => false);
    const guest = call(door, 'odd');
    await expect.poll(() => told).toEqual(['at the door: odd', 'served: odd']);
    guest.socket.write('more');
    await expect.poll(guest.text).toBe('echo more');
  });

  it('hands one that says nothing to node:net, and all others that have said nothing with it', async () => {
    const { door, told } = await open(() => false);
    const guests = [call(door), call(door)];
    await expect.poll(() => told).toEqual(['served: ', 'served: ']);
    for (const { socket, text } of guests) {
      socket.write('now');
      await expect.poll(text).toBe('echo now');
    }
  });

  it('answers later, and what the client says meanwhile is heard after that', async () => {
    const callers: EarlyClient[] = [];
    const { door, told } = await open((_, caller) => callers.push(caller) > 0);
    const guest = call(door, 'one');
    await expect.poll(() => callers.length).toBe(1);
    guest.socket.write('two');
    call(door, 'three');
    await expect.poll(() => callers.length).toBe(2);
    expect(told).toEqual(['at the door: one', 'at the door: three']);
    callers[0]?.answer(Buffer.from('late;'), true);
    await expect.poll(guest.text).toBe('late;echo two');
  });

  it('resets a connection, or closes it without an answer', async () => {
    const { door } = await open((heard, caller) => {
      if (heard === 'reset') caller.reset();
      else caller.close();
      return true;
    });
    expect(await call(door, 'reset').ended).toBe('ECONNRESET');
    expect(await call(door, 'close').ended).toBe('end');
  });

  it('is silent to a client that has gone', async () => {
    const callers: EarlyClient[] = [];
    const { door } = await open((_, caller) => callers.push(caller) > 0);
    const guest = call(door, 'one');
    await expect.poll(() => callers.length).toBe(1);
    guest.socket.resetAndDestroy();
    await once(guest.socket, 'close');
    const other = call(door, 'two');
    await expect.poll(() => callers.length).toBe(2);
    for (const caller of callers) caller.answer(Buffer.from('too late'), false);
    await expect.poll(other.text).toBe('too late');
    for (const caller of callers) {
      caller.answer(Buffer.from('again'), true);
      caller.reset();
      caller.close();
    }
    expect(await other.ended).toBe('end');
    expect(other.text()).toBe('too late');
  });

  it.each([
    ['before anybody came', '', 0],
    ['while one waits for its answer', 'wait', 1],
    ['after one was served', 'one', 2],
  ])('closes %s', async (_, says, tells) => {
    const { door, told } = await open((heard, caller) => heard === 'wait' || answering(true)(heard, caller));
    const guest = says === '' ? null : call(door, says);
    await expect.poll(() => told.length).toBe(tells);
    expect(door.isOpen).toBe(true);
    await ends.shift()?.();
    expect(door.isOpen).toBe(false);
    expect(await guest?.ended).toBe(says === '' ? undefined : 'end');
    expect(await call(door).ended).toBe('ECONNREFUSED');
  });

  it.each([
    ['with', bareTcp()],
    ['without', null],
  ])('tells that its port is taken, %s what is there before node:net', async (_, tcp) => {
    const other: Server = createServer();
    const port = await listenOnLoopback(other);
    ends.push(() => other.close());
    await expect(reservePort('127.0.0.1', port, tcp)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('is one of node:net where Node has nothing before it', async () => {
    const { door, told } = await open(answering(true), null);
    const guest = call(door, 'one');
    await expect.poll(guest.text).toBe('echo one');
    expect(told).toEqual(['served: ']);
    expect(door.isOpen).toBe(true);
  });
});
