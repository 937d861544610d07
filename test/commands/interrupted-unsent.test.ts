/** Interrupted before the first byte: no command says that something was sent, as none was. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { bareServer, hostileServer, json, someCharge, success } from '../support/hostile-server.ts';
import { emptyHome, run, start } from '../support/run.ts';
import { slowHandshake } from '../support/slow-handshake.ts';
import { openHurriedBench, payArgs } from '../support/withdrawal-bench.ts';

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

  it.each([
    ['a withdrawal', false, 'No money moved. Stopped before anything was sent.'],
    [
      'the second line of a file, whose first was sent',
      true,
      '1 of 2 withdrawals completed (R$ 10,50), 0 not reached. Line 3 (k-2): No money moved. Stopped before anything',
    ],
  ])('of %s is told as that, and the same command sends it then', async (_, isBatch, words) => {
    await using bench = await openHurriedBench();
    await using front = await slowHandshake(bench.proxy.url);
    const env = { ...front.env, PIXCTL_BASE_URL: front.url };
    const file = join(bench.home, 'march.csv');
    writeFileSync(
      file,
      'idempotency_key,amount,pix_key,pix_key_type\nk-1,1050,maria@example.com,EMAIL\nk-2,1060,maria@example.com,EMAIL\n',
    );
    const args = isBatch ? ['withdrawal', 'batch', file, '--yes'] : payArgs('k-1', 1_050);
    const before = isBatch ? 1 : 0;
    const arrived = Promise.withResolvers<void>();
    // Each send has a connection of its own, after that of the list.
    bench.proxy.intercept = ({ method, path }) => {
      if (method === 'GET' && path.startsWith('/withdrawals?') && bench.proxy.posts().length === before)
        void front.hold(0).then(arrived.resolve);
      return null;
    };
    const child = bench.start(args, env);
    const said = text(child.stderr);
    await arrived.promise;
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    bench.proxy.intercept = () => null;
    expect(await said).toContain(words);
    expect(await said).not.toContain('being sent');
    expect((await bench.run(args, env)).code).toBe(0);
    expect(bench.proxy.posts().map(({ body }) => JSON.parse(body).amount)).toEqual(
      isBatch ? [1_050, 1_060] : [1_050],
    );
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
