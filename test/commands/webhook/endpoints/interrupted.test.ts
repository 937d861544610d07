/** `webhook add` that is interrupted, and answers that are none: what is told of an endpoint that may be there. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { hostileServer, json, success } from '../../../support/hostile-server.ts';
import { run, start } from '../../../support/run.ts';

const args = ['webhook', 'add', '--url', 'https://shop.example/hook', '--events', 'CHARGE_PAID'];
const envOf = (url: string) => ({ PIXCTL_BASE_URL: url, PIXCTL_API_KEY: 'svc_test_key' });

/** A registration that has had its first signal with the request in flight, and has said so. */
async function interrupted(url: string, arrived: Promise<ServerResponse>, line: readonly string[] = args) {
  const child = start(line, { env: envOf(url) });
  const said = text(child.stderr);
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  const response = await arrived;
  child.kill('SIGINT');
  await once(child.stderr, 'data');
  return { child, said, ended, response };
}

describe.skipIf(process.platform === 'win32')('webhook add, interrupted with its request in flight', () => {
  it('ends with 81 at the second signal: the endpoint may be registered', async () => {
    const arrived = Promise.withResolvers<ServerResponse>();
    await using server = await hostileServer((response) => arrived.resolve(response));
    const { child, said, ended } = await interrupted(server.url, arrived.promise);
    child.kill('SIGINT');
    expect(await ended).toEqual([81, null]);
    expect(await said).toContain('Interrupted after it was sent');
    expect(await said).toMatch(
      /error: Stopped at once by a second SIGINT, before the outcome was known: .*\n {2}Check what happened before you run it again/,
    );
  });

  it('reports an endpoint without a secret, and not that nothing was in flight', async () => {
    const arrived = Promise.withResolvers<ServerResponse>();
    await using server = await hostileServer((response) => arrived.resolve(response));
    const { said, ended, response } = await interrupted(server.url, arrived.promise);
    json(response, 201, success({ id: 'wh_7' }));
    expect(await ended).toEqual([1, null]);
    expect(await said).toContain('The endpoint wh_7 was registered');
    expect(await said).not.toContain('nothing was in flight');
  });
});

it.skipIf(process.platform === 'win32')(
  'webhook listen, interrupted while it registers, keeps the secret that comes, and ends',
  async () => {
    const arrived = Promise.withResolvers<ServerResponse>();
    await using server = await hostileServer((response) => arrived.resolve(response));
    const line = ['webhook', 'listen', '--register', '--port', '0'];
    const { said, ended, response } = await interrupted(server.url, arrived.promise, line);
    json(response, 201, success({ id: 'wh_7', secret: 'whsec_once' }));
    expect(await ended).toEqual([130, null]);
    expect(await said).toMatch(/as wh_7; its secret is stored here/);
    expect(await said).toContain('Stopped: no event is waiting to be forwarded.');
  },
);

describe('webhook add --url-field', () => {
  it.each([
    ['no data', null],
    ['a text', 'registered'],
  ])('ends with 81 where the answer holds %s', async (_, data) => {
    await using server = await hostileServer((response) => json(response, 201, success(data)));
    const { code, stderr } = await run([...args, '--url-field', 'target'], { env: envOf(server.url) });
    expect(code).toBe(81);
    expect(stderr).toContain('The endpoint may have been registered');
  });

  it('is bounded by --timeout', { timeout: 25_000 }, async () => {
    await using server = await hostileServer(() => {});
    const flags = ['--url-field', 'target', '--timeout', '1s'];
    const { code, stderr } = await run([...args, ...flags], { env: envOf(server.url) });
    expect(code).toBe(81);
    expect(stderr).toContain('the time limit was reached');
  });
});
