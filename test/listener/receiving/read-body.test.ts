/** The bodies that strangers send: many at once, and a byte at a time. */
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createBodyReader } from '../../../src/listener/receiving/read-body.ts';
import { listenOnLoopback } from '../../support/listen-on-loopback.ts';

const limits = { each: 1_000, small: 100, together: 1_000 };

it('keeps none of the chunks that it is given', async () => {
  const sending = Object.assign(new EventEmitter(), { headers: {} });
  const read = createBodyReader(limits)(sending as unknown as IncomingMessage);
  for (const byte of Buffer.from('every byte')) {
    const chunk = Buffer.from([byte]);
    sending.emit('data', chunk);
    chunk.fill(0);
  }
  sending.emit('end');
  expect(Buffer.from((await read) as Uint8Array).toString()).toBe('every byte');
});

it.each([
  ['1001', 'too-large'],
  ['1000', 'waits'],
  [undefined, 'waits'],
])('with an announced length of %s, before any of it has come: %s', async (length, said) => {
  const headers = length === undefined ? {} : { 'content-length': length };
  const sending = Object.assign(new EventEmitter(), { headers });
  const read = createBodyReader(limits)(sending as unknown as IncomingMessage);
  const turn = new Promise((resolve) => setImmediate(resolve, 'waits'));
  expect(await Promise.race([read, turn])).toBe(said);
});

it('has room for a small body, in however many pieces, when there is none for a larger one', async () => {
  const read = createBodyReader({ ...limits, together: 0 });
  const arrive = (...pieces: number[]) => {
    const sending = Object.assign(new EventEmitter(), { headers: {}, pause: () => {} });
    const body = read(sending as unknown as IncomingMessage);
    for (const bytes of pieces) sending.emit('data', Buffer.alloc(bytes));
    sending.emit('end');
    return body;
  };
  expect(await arrive(60, 40)).toHaveLength(100);
  expect(await arrive(60, 41)).toBe('no-room');
});

it('gives back the room of a body that it refuses, although its request stays open', async () => {
  const read = createBodyReader(limits);
  const begin = (...pieces: number[]) => {
    const sending = Object.assign(new EventEmitter(), { headers: {}, pause: () => {} });
    const body = read(sending as unknown as IncomingMessage);
    for (const bytes of pieces) sending.emit('data', Buffer.alloc(bytes));
    return { sending, body };
  };
  const refused = begin(1_000, 1);
  expect(await refused.body).toBe('too-large');
  expect(refused.sending.listenerCount('end')).toBe(0);
  const next = begin(1_000);
  next.sending.emit('end');
  expect(await next.body).toHaveLength(1_000);
  next.sending.emit('close');
  refused.sending.emit('close');
  const [last, more] = [begin(1_000), begin(1_000)];
  last.sending.emit('end');
  expect(await last.body).toHaveLength(1_000);
  expect(await more.body).toBe('no-room');
});

describe('bodies that come at once', () => {
  const read = createBodyReader(limits);
  const underWay: (string | number)[] = [];
  const server = createServer((incoming, response) => {
    incoming.on('data', (chunk: Buffer) => underWay.push(chunk.byteLength));
    void read(incoming).then((body) => {
      response.setHeader('Connection', 'close');
      response.end(typeof body === 'string' ? body : String(body.byteLength));
    });
  });
  afterEach(() => server.close());

  const begin = (bytes: number) => {
    const { port } = server.address() as AddressInfo;
    const sending = request({ port, method: 'POST', agent: false }).on('error', () => {});
    sending.write(Buffer.alloc(bytes));
    const answer = once(sending, 'response').then(async ([response]: IncomingMessage[]) => {
      let text = '';
      for await (const chunk of response ?? []) text += chunk;
      return text;
    });
    answer.catch(() => {});
    return { sending, answer };
  };

  const whole = (bytes: number) => {
    const { sending, answer } = begin(bytes);
    sending.end();
    return answer;
  };

  it('are refused beyond the available room, except small ones, until there is room again', async () => {
    await listenOnLoopback(server);
    const first = begin(800);
    await expect.poll(() => underWay).toEqual([800]);
    expect(await begin(800).answer).toBe('no-room');
    expect(await whole(100)).toBe('100');
    first.sending.end();
    expect(await first.answer).toBe('800');
    await expect.poll(() => whole(800)).toBe('800');
    const gone = begin(900);
    await expect.poll(() => underWay.at(-1)).toBe(900);
    gone.sending.destroy();
    await expect.poll(() => whole(900)).toBe('900');
  });
});
