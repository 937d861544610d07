/** The memory of an answer, which is written over by the next one as soon as it is sent. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { copyBody, writeBody } from '../../../src/sandbox/wire/answer-body.ts';
import { createPlainResponder } from '../../../src/sandbox/wire/plain-responder.ts';
import { listenOnLoopback } from '../../support/listen-on-loopback.ts';

/** Our end of a connection whose other end reads nothing; `behind` bytes are on their way already. */
async function toWhoDoesNotRead(behind: number) {
  const server = createServer();
  const arrived = once(server, 'connection') as Promise<[Socket]>;
  const port = await listenOnLoopback(server);
  const client = connect(port, '127.0.0.1').pause();
  const [socket] = await arrived;
  socket.on('error', () => {}).write(Buffer.alloc(behind));
  const exchange = { socket, now: () => 0, isOpen: () => true, keepAliveSeconds: () => 5, finish: () => {} };
  const close = () => {
    for (const it of [socket, client]) it.destroy();
    server.close();
  };
  return { reply: createPlainResponder(exchange), close };
}

describe.each(['answer', 'truncate'] as const)('the body of an answer that is sent again (%s)', (how) => {
  async function isLent(behind: number): Promise<boolean> {
    const { reply, close } = await toWhoDoesNotRead(behind);
    const body = copyBody(writeBody(['{"data":[]}']));
    reply[how](200, {}, body);
    close();
    return body.isRetained;
  }

  // Windows takes an answer of any size from us at once, read or not.
  it.skipIf(process.platform === 'win32')('is not overwritten while it waits to be sent', async () => {
    expect(await isLent(32 * 1024 * 1024)).toBe(true);
  });

  it('is used again once it is sent', async () => {
    expect(await isLent(0)).toBe(false);
  });
});
