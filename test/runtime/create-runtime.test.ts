/** What a run has opened is closed at its end, each whatever becomes of another. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { createRuntime } from '../../src/runtime/create-runtime.ts';
import { listenOnLoopback } from '../support/listen-on-loopback.ts';
import { memoryIo } from '../support/memory-io.ts';
import { emptyHome } from '../support/run.ts';

it('a ledger that fails to close keeps no connection to the service open', async () => {
  const page = { hasMore: false, next: null, before: null };
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [], error: null, success: true, pagination: page }));
  });
  // It says so, and the client keeps its connection as long, unless it is closed.
  server.keepAliveTimeout = 600_000;
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const home = emptyHome();
  const runtime = createRuntime({
    ...{ io: memoryIo(), clock: systemClock, node: null, version: '0', globals: () => ({}) },
    environment: {
      HOME: home,
      PIXCTL_BASE_URL: `http://127.0.0.1:${port}`,
      PIXCTL_API_KEY: 'svc_test',
      PIXCTL_CONFIG_DIR: join(home, 'config'),
      PIXCTL_STATE_DIR: join(home, 'state'),
    },
    ...{ platform: process.platform, uid: process.geteuid?.(), signal: new AbortController().signal },
  });
  await (await runtime.api()).page('listCharges', { query: {} });
  const [socket] = await connected;
  const ended = once(socket, 'close');
  const ledger = await runtime.ledger();
  const { close } = ledger;
  Object.assign(ledger, {
    close: async () => {
      await close();
      throw new Error('the disk is gone');
    },
  });
  await expect(runtime.close()).rejects.toThrow('the disk is gone');
  await ended;
});
