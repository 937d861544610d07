/** A sandbox with `host`: reached at further addresses, and what is not handed to whoever comes that way. */
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { noIpv6, noSecondLoopback, skipped } from '../support/platform.ts';
import { type Served, serve } from './support/over-http.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly cookie: string | undefined;
}

/** A request to that address: `fetch` would not let us lie about Host. The code of the error if nothing answers. */
const ask = (
  { url }: Pick<Served, 'url'>,
  [host, method, path]: readonly [host: string, method: string, path: string],
  headers: Record<string, string> = {},
) =>
  new Promise<Answer | string>((resolve) => {
    const { port } = new URL(url);
    request({ host, port, method, path, headers, agent: false }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body,
          cookie: response.headers['set-cookie']?.[0]?.split(';')[0],
        }),
      );
    })
      .on('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? ''))
      .end();
  });

const statusOf = async (...asked: Parameters<typeof ask>) => {
  const answer = await ask(...asked);
  return typeof answer === 'string' ? answer : answer.status;
};

const keyOf = ({ apiKey }: Served) => ({ authorization: `Bearer ${apiKey}` });

/** An address of this machine that is not loopback, as the network knows it. */
const outer = (family: 'IPv4' | 'IPv6') =>
  Object.values(networkInterfaces())
    .flat()
    .find((it) => it?.family === family && !it.internal && !it.address.startsWith('fe80'))?.address;

describe('the documented routes', () => {
  const atIpv6 = 'are at ::1 only if it is asked for, and then at 127.0.0.1 too';
  it.skipIf(noIpv6 !== null)(skipped(atIpv6, noIpv6), async () => {
    const asUsual = await serve();
    expect(await statusOf(asUsual, ['::1', 'GET', '/withdrawals'])).toBe('ECONNREFUSED');
    const sandbox = await serve({ host: '::1' });
    expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await statusOf(sandbox, ['::1', 'GET', '/withdrawals'])).toBe(401);
    expect(await statusOf(sandbox, ['::1', 'GET', '/withdrawals'], keyOf(sandbox))).toBe(200);
    expect((await sandbox.get('/withdrawals')).status).toBe(200);
    await sandbox.close();
    expect(await statusOf(sandbox, ['::1', 'GET', '/withdrawals'])).toBe('ECONNREFUSED');
    expect(await statusOf(sandbox, ['127.0.0.1', 'GET', '/withdrawals'])).toBe('ECONNREFUSED');
  });

  for (const [host, family] of [
    ['0.0.0.0', 'IPv4'],
    ['::', 'IPv6'],
    ['::', 'IPv4'],
  ] as const) {
    const address = host === '::' && noIpv6 !== null ? undefined : outer(family);
    const none = address === undefined ? `this machine has no ${family} address` : null;
    it.skipIf(none !== null)(skipped(`are at its ${family} address with ${host}`, none), async () => {
      const asUsual = await serve();
      expect(await statusOf(asUsual, [String(address), 'GET', '/withdrawals'])).toBe('ECONNREFUSED');
      const sandbox = await serve({ host });
      const to = [String(address), 'GET', '/withdrawals'] as const;
      expect([await statusOf(sandbox, to), await statusOf(sandbox, to, keyOf(sandbox))]).toEqual([401, 200]);
      expect((await sandbox.get('/withdrawals')).status).toBe(200);
    });
  }
});

const why = noSecondLoopback;

describe.skipIf(why !== null)(skipped('the control plane', why), () => {
  it('answers under loopback, the address of host and allowed names, and under nothing else', async () => {
    const sandbox = await serve({ host: '127.0.0.2', allowHosts: ['Sandbox', 'fd00::2'] });
    const { port } = new URL(sandbox.url);
    for (const [host, origin, status] of [
      [`127.0.0.2:${port}`, undefined, 200],
      [`sandbox:${port}`, undefined, 200],
      ['SANDBOX', undefined, 200],
      [`[fd00::2]:${port}`, undefined, 200],
      [`localhost:${port}`, undefined, 200],
      [`sandbox:${port}`, `http://sandbox:${port}`, 200],
      [`sandbox:${port}`, 'http://sandbox:3000', 403],
      [`sandbox:${port}`, 'http://evil.example', 403],
      [`sandbox:${port}`, 'null', 403],
      ['evil.example', undefined, 403],
      ['evil.example', 'http://evil.example', 403],
      [`sandbox.evil.example:${port}`, undefined, 403],
      [`evil@sandbox:${port}`, undefined, 400],
      [`sandbox:${port}/`, undefined, 400],
      [`127.0.0.3:${port}`, undefined, 403],
    ] as const) {
      const headers = { host, ...keyOf(sandbox), ...(origin === undefined ? {} : { origin }) };
      const got = await statusOf(sandbox, ['127.0.0.2', 'GET', '/__sandbox/clock'], headers);
      expect([host, origin, got]).toEqual([host, origin, status]);
    }
  });

  it('answers under no address of its own where it listens on all: such a Host may come from anywhere', async () => {
    const sandbox = await serve({ host: '0.0.0.0' });
    const { port } = new URL(sandbox.url);
    for (const host of [`0.0.0.0:${port}`, `192.0.2.7:${port}`, 'sandbox']) {
      const asked = await statusOf(sandbox, ['127.0.0.1', 'GET', '/__sandbox/clock'], {
        host,
        ...keyOf(sandbox),
      });
      expect([host, asked]).toEqual([host, 403]);
    }
  });

  it('needs the token there too, and hands it to nobody', async () => {
    const sandbox = await serve({ host: '127.0.0.2', allowHosts: ['sandbox'] });
    const headers = { host: 'sandbox', accept: 'text/html' };
    for (const path of ['/__sandbox/clock', '/__sandbox/keys', '/__sandbox/merchants', '/__sandbox/snapshot'])
      expect([path, await statusOf(sandbox, ['127.0.0.2', 'GET', path], headers)]).toEqual([path, 401]);
    expect(await statusOf(sandbox, ['127.0.0.2', 'POST', '/__sandbox/reset'], headers)).toBe(401);
    for (const path of ['/', '/__sandbox', '/__sandbox/', '/__sandbox/openapi.json', '/__sandbox/ui/']) {
      const answer = JSON.stringify(await ask(sandbox, ['127.0.0.2', 'GET', path], headers));
      expect(answer).not.toContain(sandbox.controlToken);
      expect(answer).not.toContain(sandbox.apiKey);
    }
  });
});

describe.skipIf(why !== null)(skipped('the page', why), () => {
  it('opens under loopback names only, whatever the token and whatever is allowed', async () => {
    const sandbox = await serve({ host: '127.0.0.2', allowHosts: ['sandbox'] });
    const { port } = new URL(sandbox.url);
    const opened = ['127.0.0.2', 'GET', `/__sandbox/ui/?token=${sandbox.controlToken}`] as const;
    for (const host of [`127.0.0.2:${port}`, `sandbox:${port}`, 'evil.example']) {
      const refused = await ask(sandbox, opened, { host });
      expect(refused).toMatchObject({ status: 403, cookie: undefined });
      expect(refused).toMatchObject({ body: expect.stringContaining('only as http://127.0.0.1') });
    }
    // As through a published port, which leads to the other address.
    const published = await ask(sandbox, opened, { host: `localhost:${port}` });
    expect(published).toMatchObject({ status: 303, cookie: expect.stringContaining('pixctl-page-') });
    const { cookie = '' } = published as Answer;
    const page = ['127.0.0.2', 'GET', '/__sandbox/ui/charges'] as const;
    expect(await statusOf(sandbox, page, { host: `localhost:${port}`, cookie })).toBe(200);
    expect(await statusOf(sandbox, page, { host: `sandbox:${port}`, cookie })).toBe(403);
    expect(await statusOf(sandbox, page, { host: `localhost:${port}` })).toBe(401);
  });
});

describe('keys', () => {
  it('do not follow from the seed where others could guess it; ids still do', async () => {
    const seed = { seed: 'same' };
    const [one, two] = [await serve({ ...seed, host: '0.0.0.0' }), await serve({ ...seed, host: '0.0.0.0' })];
    expect(one.apiKey).not.toBe(two.apiKey);
    expect(one.addKey()).not.toBe(two.addKey());
    expect(one.addMerchant().apiKey).not.toBe(two.addMerchant().apiKey);
    expect(one.merchantId).toBe(two.merchantId);
    const [three, four] = [await serve(seed), await serve({ ...seed, host: '127.0.0.1' })];
    expect(three.apiKey).toBe(four.apiKey);
  });
});
