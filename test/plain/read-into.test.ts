import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { isWrittenOver, readIntoSharedBuffer } from '../../src/plain/read-into.ts';
import { listenOnLoopback } from '../support/listen-on-loopback.ts';

describe('a connection that is read into kept memory', () => {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });

  async function pair(): Promise<{ client: Socket; served: Socket }> {
    const server = createServer({ allowHalfOpen: true });
    const port = await listenOnLoopback(server);
    const client = connect(port, '127.0.0.1');
    const [served] = (await once(server, 'connection')) as [Socket];
    ends.push(() => {
      client.destroy();
      served.destroy();
      server.close();
    });
    return { client, served };
  }

  it('hands over bytes that the next read overwrites, and reports the end', async () => {
    const { client, served } = await pair();
    const got: { text: string; over: boolean }[] = [];
    readIntoSharedBuffer(served, (chunk) => got.push({ text: chunk.toString(), over: isWrittenOver(chunk) }));
    client.write('one');
    await expect.poll(() => got).toEqual([{ text: 'one', over: true }]);
    client.end('two');
    await once(served, 'end');
    expect(got.at(-1)).toEqual({ text: 'two', over: true });
  });

  it('waits while it is paused', async () => {
    const { client, served } = await pair();
    const other = await pair();
    let got = '';
    let others = '';
    readIntoSharedBuffer(served, (chunk) => {
      got += chunk.toString();
    });
    readIntoSharedBuffer(other.served, (chunk) => {
      others += chunk.toString();
    });
    served.pause();
    client.write('later');
    other.client.write('now');
    await expect.poll(() => others).toBe('now');
    expect(got).toBe('');
    served.resume();
    await expect.poll(() => got).toBe('later');
  });

  it('is an ordinary one again for whoever takes it over, with bytes of its own', async () => {
    const { client, served } = await pair();
    const leave = readIntoSharedBuffer(served, () => {});
    leave();
    served.pause();
    let got = '';
    let over = false;
    served.on('data', (chunk: Buffer) => {
      got += chunk.toString();
      over ||= isWrittenOver(chunk);
    });
    served.resume();
    const sent = 'x'.repeat(1_000_000);
    client.write(sent);
    await expect.poll(() => got.length).toBe(sent.length);
    expect(got).toBe(sent);
    expect(over).toBe(false);
  });
});
