/** Whoever takes a connection and then says nothing, before any request: the run ends all the same. */
import { describe, expect, it } from 'vitest';
import { bareServer } from '../support/hostile-server.ts';
import { noSignals } from '../support/platform.ts';
import { emptyHome, run, start } from '../support/run.ts';

const send = ['charge', 'create', '--amount', '1050'];
const read = ['charge', 'list'];
const commands = [
  ['a send', send],
  ['a read', read],
] as const;

const keyed = (url: string) => ({ PIXCTL_BASE_URL: url, PIXCTL_API_KEY: 'svc_test_key' });

describe('a TLS handshake that is never answered', { timeout: 60_000 }, () => {
  it.each(commands)('keeps %s no longer than --timeout', async (_, args) => {
    await using server = await bareServer(() => {});
    const { code, stderr } = await run([...args, '--timeout', '1s'], {
      env: keyed(server.url.replace('http:', 'https:')),
    });
    expect(code).toBe(75);
    expect(stderr).toContain('could not be reached: the time limit was reached. Nothing was sent.');
  });

  it.skipIf(noSignals !== null).each(commands)(
    'keeps %s no longer than until it is interrupted',
    async (_, args) => {
      const arrived = Promise.withResolvers<void>();
      await using server = await bareServer(() => arrived.resolve());
      const child = start(args, { home: emptyHome(), env: keyed(server.url.replace('http:', 'https:')) });
      const ended = new Promise((resolve) => child.on('close', resolve));
      await arrived.promise;
      child.kill('SIGINT');
      expect(await ended).toBe(130);
    },
  );

  it.each(commands)('keeps %s no longer than --timeout behind a proxy either', async (_, args) => {
    await using proxy = await bareServer((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    });
    const { code } = await run([...args, '--timeout', '1s'], {
      env: { ...keyed('https://pay.example'), HTTPS_PROXY: proxy.url },
    });
    expect(code).toBe(75);
  });
});
