/** One POST that is ended before its connection stands. */
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { post } from '../../../src/sandbox/deliveries/post.ts';
import { listenOnLoopback } from '../../support/listen-on-loopback.ts';
import { deliveryWorld } from '../support/delivery-world.ts';

const listening = async () => {
  const server = createServer((socket) => socket.on('error', () => {}));
  return { server, url: `http://127.0.0.1:${await listenOnLoopback(server)}/` };
};
/** Long enough for what the end of a connection calls. */
const turns = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
};

it.each([
  ['before it begins', (signal: AbortController) => signal.abort()],
  ['before its connection stands', (signal: AbortController) => void process.nextTick(() => signal.abort())],
])('an attempt that is ended %s is not prepared: it would count as one of three', async (_, end) => {
  const { server, url } = await listening();
  const controller = new AbortController();
  let prepared = 0;
  const prepare = () => {
    prepared += 1;
    return { headers: {}, body: new Uint8Array() };
  };
  end(controller);
  expect(await post({ url, timeoutMs: 10_000, signal: controller.signal, prepare })).toBeNull();
  await turns();
  expect(prepared).toBe(0);
  server.close();
});

it.each([
  ['http://user:50%25%@127.0.0.1:9/', 'URI malformed'],
  ['http://user:%ff@127.0.0.1:9/', 'URI malformed'],
  ['127.0.0.1:9', 'ERR_INVALID_URL'],
  ['ftp://127.0.0.1:9/', 'ERR_INVALID_PROTOCOL'],
])('an attempt to reach %s, for which no request can be made, counts as failed', async (url, reason) => {
  for (const assume of [{}, { 'webhook-credentials': 'left-out' }]) {
    await using world = deliveryWorld({ settings: { assume } });
    world.endpoint('wh_1', url);
    world.emit();
    expect(await world.advance(60)).toMatchObject({ settled: true });
    const [delivery] = world.sent.list();
    expect(delivery).toMatchObject({ state: 'FAILED', attempts: [{}, {}, {}] });
    if (Object.keys(assume).length === 0) expect(delivery?.reason).toMatch(`network failure: ${reason}; `);
    expect(world.failures).toEqual([]);
  }
});
