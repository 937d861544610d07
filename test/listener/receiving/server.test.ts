/** The listener on a socket: what is being answered when it stops. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/listener/receiving/receive.ts';
import { serving } from './serving.ts';

/** What is sent after its first line and its Host, and what comes back. */
function send(port: number, rest: string, host = 'Host: a\r\n') {
  const client = connect(port, '127.0.0.1');
  const gone = once(client, 'close');
  let got = '';
  client.setEncoding('latin1').on('data', (chunk: string) => {
    got += chunk;
  });
  client.write(`POST / HTTP/1.1\r\n${host}${rest}`);
  return { client, gone, got: () => got };
}

const ways = [
  ['plain', 'Content-Length: 2\r\n\r\nhi'],
  ['not plain', 'Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n'],
] as const;

describe('a listener that stops', () => {
  it.each(ways)('still answers the request under way, %s', async (_, rest) => {
    const received: { body: string; answer: (it: Answer) => void }[] = [];
    const server = await serving(
      (_headers, body) =>
        new Promise((answer) => received.push({ body: Buffer.from(body).toString(), answer })),
    );
    const { gone, got } = send(server.port, rest);
    await expect.poll(() => received.map(({ body }) => body)).toEqual(['hi']);
    const closed = server.close();
    received[0]?.answer({ status: 200, body: '{"received":true}' });
    await gone;
    expect(got()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\n\{"received":true\}$/);
    await closed;
  });
});

it.each(ways)('a delivery that cannot be stored is answered with 500 and reported, %s', async (_, rest) => {
  const troubles: unknown[] = [];
  const cause = new Error('no room');
  const server = await serving(() => Promise.reject(cause), troubles);
  const { client, got } = send(server.port, rest);
  await expect.poll(got).toMatch(/^HTTP\/1\.1 500 [\s\S]*\{"error":"not stored: send it again"\}$/);
  expect(troubles).toEqual([cause]);
  client.destroy();
  await server.close();
});

it.each([
  ['without a Host', 'Content-Length: 2\r\n\r\nhi', '', 400],
  ['that expects what is not known', 'Expect: tea\r\nContent-Length: 2\r\n\r\nhi', undefined, 417],
])('a request %s is refused, and its connection ends', async (_, rest, host, status) => {
  const server = await serving(async () => ({ status: 200, body: '' }));
  const { gone, got } = send(server.port, rest, host);
  await gone;
  expect(got()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*\r\nConnection: close\r\n`));
  await server.close();
});

it('a GET of another path, as scanners and browsers send, is not taken for a test of the address', async () => {
  let looks = 0;
  const onLook = () => {
    looks += 1;
  };
  const server = await serving(async () => ({ status: 200, body: '' }), [], {
    path: '/pix',
    onProbe: onLook,
  });
  const counts: number[] = [];
  for (const path of ['/favicon.ico', '/pix?challenge=1']) {
    await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { Connection: 'close' } });
    counts.push(looks);
  }
  await server.close();
  expect(counts).toEqual([0, 1]);
});

/** A client that reads nothing before it has sent everything: as many bytes as it says, or in chunks. */
function sendAll(port: number, mebibytes: number, isChunked: boolean): Promise<string> {
  const piece = Buffer.alloc(65_536, 'a');
  const chunk = isChunked ? Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')]) : piece;
  const pieces = mebibytes * 16;
  const how = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${pieces * piece.length}`;
  const client = connect(port, '127.0.0.1');
  let got = '';
  client.write(`POST / HTTP/1.1\r\nHost: a\r\n${how}\r\n\r\n`);
  return new Promise((resolve) => {
    client.on('error', (error: NodeJS.ErrnoException) => resolve(`${error.code}`));
    client.on('close', () => resolve(got));
    let sent = 0;
    const send = () => {
      while (sent++ < pieces) if (!client.write(chunk)) return client.once('drain', send);
      if (isChunked) client.write('0\r\n\r\n');
      return client.setEncoding('latin1').on('data', (more: string) => {
        got += more;
      });
    };
    send();
  });
}

describe('a body above the limit', () => {
  it.each([
    ['of a length that is known', false],
    ['in chunks', true],
  ])('is read to its end and dropped, so that its sender learns why, %s', async (_, isChunked) => {
    const server = await serving(() => Promise.reject(new Error('it was stored')));
    expect(await sendAll(server.port, 20, isChunked)).toMatch(
      /^HTTP\/1\.1 413 [\s\S]*\r\nConnection: close\r\n[\s\S]*\{"error":"the body is too large"\}$/,
    );
    await server.close();
  });

  it('is not read for ever', async () => {
    const server = await serving(() => Promise.reject(new Error('it was stored')));
    expect(await sendAll(server.port, 1_000, false)).toMatch(/^(?:EPIPE|ECONNRESET)$/);
    await server.close();
  });
});
