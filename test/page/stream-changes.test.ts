/** Telling an open page that something changed. */
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { expect, it, vi } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.ts';
import { streamChanges, type Versions } from '../../src/page/stream-changes.ts';
import { listenOnLoopback } from '../support/listen-on-loopback.ts';

it('says once that something changed, says nothing while nothing does, and stops looking when the page is closed', async () => {
  let version = 1;
  let awake: (() => void)[] = [];
  const looking: AbortSignal[] = [];
  const waits = new Set<number>();
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    sleep: (ms: number, signal?: AbortSignal) => {
      waits.add(ms);
      if (signal) looking.push(signal);
      return new Promise<void>((resolve) => {
        awake.push(resolve);
        signal?.addEventListener('abort', () => resolve());
      });
    },
  };
  const look = () => {
    for (const wake of awake.splice(0)) wake();
  };
  const server = await serveLive(() => ({ a: version, b: 'x' }), clock);
  try {
    const leaving = new AbortController();
    const response = await fetch(`${server.url}?topics=a&since=1`, { signal: leaving.signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const heard = reader?.read();
    await expect.poll(() => looking.length).toBe(1);
    look();
    await expect.poll(() => looking.length).toBe(2);
    version = 2;
    look();
    expect((await heard)?.value).toBe('data: changed\nid: 2\n\n');
    await expect.poll(() => looking.length).toBe(3);
    const gone = new Promise((resolve) => looking[2]?.addEventListener('abort', resolve));
    leaving.abort();
    await gone;
    awake = [];
    expect(looking.length).toBe(3);
    // With the page's own request, a change is shown within a second.
    expect([...waits]).toEqual([200]);
  } finally {
    server.close();
  }
});

it('ends, and writes nothing to the terminal, when what is watched is closed', async () => {
  const written = vi.spyOn(console, 'error').mockReturnValue();
  const closed = () => {
    throw new Error('this sandbox is closed');
  };
  const server = await serveLive(closed, systemClock);
  try {
    expect(await (await fetch(`${server.url}?topics=a`)).text()).toBe('');
    expect(written).not.toHaveBeenCalled();
  } finally {
    written.mockRestore();
    server.close();
  }
});

async function serveLive(versions: Versions, clock: Clock) {
  const app = new Hono().get('/live', (context) => streamChanges(context, versions, clock));
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}/live`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
