/** The listener on a socket: what is being answered when it stops. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { Answer } from '../../src/listener/receive.ts';
import { startServer } from '../../src/listener/server.ts';

describe('a listener that stops', () => {
  it.each([
    ['plain', 'Content-Length: 2\r\n\r\nhi'],
    ['not plain', 'Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n'],
  ])('still answers the request under way, %s', async (_, rest) => {
    const received: { body: string; answer: (it: Answer) => void }[] = [];
    const server = await startServer({
      host: '127.0.0.1',
      port: 0,
      path: null,
      instance: 'this-one',
      clock: systemClock,
      receiver: {
        receive: (_headers, body) =>
          new Promise((answer) => received.push({ body: Buffer.from(body).toString(), answer })),
      },
      onRejected: () => {},
      onTrouble: (cause) => {
        throw cause;
      },
    });
    const client = connect(server.port, '127.0.0.1');
    let got = '';
    client.setEncoding('latin1').on('data', (chunk: string) => {
      got += chunk;
    });
    client.write(`POST / HTTP/1.1\r\nHost: a\r\n${rest}`);
    await expect.poll(() => received.map(({ body }) => body)).toEqual(['hi']);
    const closed = server.close();
    const gone = once(client, 'close');
    received[0]?.answer({ status: 200, body: '{"received":true}' });
    await gone;
    expect(got).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\n\{"received":true\}$/);
    await closed;
  });
});
