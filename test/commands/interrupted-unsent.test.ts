/** Interrupted before the first byte: no command says that something was sent, as none was. */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { bareServer, hostileServer, json, someCharge, success } from '../support/hostile-server.ts';
import { emptyHome, run, start } from '../support/run.ts';

const envOf = (url: string) => ({ PIXCTL_BASE_URL: url, PIXCTL_API_KEY: 'svc_test_key' });
const create = ['charge', 'create', '--amount', '1050'];

describe.skipIf(process.platform === 'win32')('an interruption before anything was sent', () => {
  it.each([
    ['charge create', create],
    ['charge create with a key', [...create, '--idempotency-key', 'order-1']],
    ['api', ['api', 'POST', '/customers', '-f', 'name=Ana']],
    ['webhook add', ['webhook', 'add', '--url', 'https://shop.example/', '--events', 'CHARGE_PAID']],
  ])('of %s is told as that', async (_, args) => {
    const arrived = Promise.withResolvers<void>();
    // The TLS handshake is never answered.
    await using server = await bareServer(() => arrived.resolve());
    const child = start(args, { env: envOf(server.url.replace('http:', 'https:')) });
    const said = text(child.stderr);
    await arrived.promise;
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(await said).toContain('Nothing was sent.');
    expect(await said).not.toContain('after it was sent');
  });

  it('of a key that has its charge already is told as that', async () => {
    const home = emptyHome();
    const asked = Promise.withResolvers<void>();
    await using server = await hostileServer((response, { method }) =>
      method === 'POST' ? json(response, 201, success(someCharge)) : asked.resolve(),
    );
    const args = [...create, '--idempotency-key', 'order-1'];
    expect(await run(args, { home, env: envOf(server.url) })).toMatchObject({ code: 0 });
    const child = start(args, { home, env: envOf(server.url) });
    const said = text(child.stderr);
    await asked.promise;
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(await said).not.toContain('after it was sent');
  });
});
