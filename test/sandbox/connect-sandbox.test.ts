/** `connectSandbox`: what it takes, whom it speaks for, and what it says when there is no sandbox to drive. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { connectSandbox, startSandbox } from '../../src/sandbox/index.ts';
import { version } from '../../src/version.ts';
import { freePort } from '../support/free-port.ts';
import { bareServer, hostileServer, json } from '../support/hostile-server.ts';
import { start } from '../support/run.ts';
import { serve } from './support/over-http.ts';

const key = `svc_sandbox_${'k'.repeat(32)}`;

describe('the options', () => {
  it.each([
    [undefined, 'connectSandbox takes { url, apiKey }, not undefined'],
    ['http://127.0.0.1:1', 'connectSandbox takes { url, apiKey }, not "http://127.0.0.1:1"'],
    [{ apiKey: key }, 'url: must be the address of a sandbox, like http://127.0.0.1:4010, not undefined'],
    [{ url: 'https://127.0.0.1:1', apiKey: key }, 'url: must be the address of a sandbox, like http'],
    [{ url: 'http://127.0.0.1:1/api', apiKey: key }, 'url: must be the address of a sandbox, like http'],
    [{ url: 'http://me:pw@127.0.0.1:1', apiKey: key }, 'url: must be the address of a sandbox, like http'],
    [{ url: 'http://pay.example.com', apiKey: key }, 'url: must be on this machine or have a private name'],
    [{ url: 'http://93.184.216.34', apiKey: key }, 'url: must be on this machine or have a private name'],
    [{ url: 'http://169.254.169.254', apiKey: key }, 'url: must be on this machine or have a private name'],
    [{ url: 'http://127.0.0.1:1' }, 'apiKey: must be a key of the sandbox (svc_sandbox_...)'],
  ])('%j are refused', async (options, message) => {
    await expect(connectSandbox(options as never)).rejects.toMatchObject({
      ...{ code: 'USAGE', message: expect.stringContaining(message) },
    });
  });

  it('never send a key that is not of a sandbox, nor repeat it', async () => {
    await using server = await hostileServer((response) => json(response, 200, {}));
    const refused = connectSandbox({ url: server.url, apiKey: 'svc_live_0123456789abcdef' });
    await expect(refused).rejects.toThrow('apiKey: must be a key of the sandbox (svc_sandbox_...)');
    expect(server.received).toEqual([]);
    await refused.catch(({ message }) => expect(message).not.toContain('0123456789'));
  });

  it('may be all that a start printed, and the address may be written in other ways', async () => {
    const { url, apiKey, uiUrl, controlToken } = await serve();
    const { port } = new URL(url);
    for (const [written, read] of [
      [`${url}/`, url],
      [`http://localhost:${port}`, `http://localhost:${port}`],
    ]) {
      const line = { url: String(written), apiKey, pid: 1, uiUrl };
      await using sandbox = await connectSandbox(line);
      expect([sandbox.url, sandbox.apiKey, sandbox.controlToken]).toEqual([read, apiKey, controlToken]);
      const page = await fetch(sandbox.uiUrl, { redirect: 'manual' });
      expect([page.status, page.headers.has('set-cookie')]).toEqual([303, true]);
    }
  });
});

describe('whom it cannot drive', () => {
  it('nobody: says so, and that nothing was done', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    await expect(connectSandbox({ url, apiKey: key })).rejects.toMatchObject({
      ...{ code: 'NOT_REACHED', message: `No sandbox answers at ${url} (ECONNREFUSED).` },
    });
  });

  it.each([
    [200, { data: [] }],
    [200, { version }],
    [401, { error: { code: 'NO_TOKEN', message: 'none' } }],
    [404, { message: 'Not Found' }],
  ])('something else that answers %i', async (status, body) => {
    await using server = await hostileServer((response) => json(response, status, body));
    await expect(connectSandbox({ url: server.url, apiKey: key })).rejects.toMatchObject({
      ...{ code: 'NOT_A_SANDBOX', message: `What answers at ${server.url} is not a pixctl sandbox.` },
    });
  });

  it('something that does not speak HTTP', async () => {
    await using server = await bareServer((socket) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
    await expect(connectSandbox({ url: server.url, apiKey: key })).rejects.toMatchObject({
      code: 'NOT_REACHED',
    });
  });

  it('a sandbox with other keys', async () => {
    const { url } = await serve();
    await expect(connectSandbox({ url, apiKey: key })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      message: `The sandbox at ${url} does not know this API key, or it was revoked.`,
    });
  });

  it.each([
    [404, { error: { code: 'NOT_FOUND', message: 'no such route' } }, 'another version'],
    [200, { version: '7.1.0', controlToken: 't', merchantId: 'm', isFirstMerchant: true }, 'pixctl 7.1.0'],
  ])('a sandbox of another version (%i)', async (status, body, theirs) => {
    await using server = await hostileServer((response) => {
      response.setHeader('x-sandbox', 'pixctl');
      json(response, status, body);
    });
    await expect(connectSandbox({ url: server.url, apiKey: key })).rejects.toMatchObject({
      code: 'VERSION',
      message: `The sandbox at ${server.url} is of ${theirs}, and this is pixctl ${version}: use the same version for both.`,
    });
  });

  it('one of a version that differs in its last number only is driven', async () => {
    const patched = version.replace(/\d+$/, '99');
    await using server = await hostileServer((response) => {
      response.setHeader('x-sandbox', 'pixctl');
      json(response, 200, { version: patched, controlToken: 't', merchantId: 'm', isFirstMerchant: true });
    });
    expect(await connectSandbox({ url: server.url, apiKey: key })).toMatchObject({ merchantId: 'm' });
  });

  it('a sandbox that was not told the name under which it is called', async () => {
    const { url, apiKey } = await serve();
    const proxy = createServer(async (request, response) => {
      const headers = { authorization: String(request.headers.authorization), host: 'sandbox:4010' };
      const answer = await ask(url + request.url, headers);
      response.writeHead(answer.status, { 'x-sandbox': 'pixctl' }).end(answer.body);
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const { port } = proxy.address() as { port: number };
    await expect(connectSandbox({ url: `http://127.0.0.1:${port}`, apiKey })).rejects.toMatchObject({
      ...{ code: 'FOREIGN', message: expect.stringContaining('--allow-host') },
    });
    proxy.close();
  });
});

/** With a Host of its own, which `fetch` does not allow. */
async function ask(url: string, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  const { request } = await import('node:http');
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  request(url, { headers }, async (response) => {
    let body = '';
    for await (const chunk of response) body += String(chunk);
    resolve({ status: response.statusCode ?? 0, body });
  })
    .on('error', reject)
    .end();
  return promise;
}

describe('a connected sandbox', () => {
  it('says that the sandbox is gone', async () => {
    const served = await startSandbox();
    const sandbox = await connectSandbox(served);
    const waiting = sandbox.waitForEvent('CHARGE_PAID', 60_000).catch((error: unknown) => error);
    // Answered after the wait has come.
    await sandbox.merchant();
    await served.close();
    expect(await waiting).toMatchObject({ code: 'NOT_REACHED' });
    await expect(sandbox.merchant()).rejects.toMatchObject({
      ...{ code: 'NOT_REACHED', message: `No sandbox answers at ${served.url} (ECONNREFUSED).` },
    });
  });

  it('says that another sandbox has taken the place of its own', async () => {
    const served = await startSandbox();
    const sandbox = await connectSandbox(served);
    await served.close();
    await serve({ port: Number(new URL(served.url).port) });
    await expect(sandbox.reset()).rejects.toMatchObject({
      code: 'OTHER_SANDBOX',
      message: `The sandbox at ${served.url} is another one than was connected to: it was started since, and has other keys.`,
    });
  });

  it('drives only its own merchant, and sees only that one, unless it is the first', async () => {
    const served = await serve();
    const shared = await connectSandbox(served);
    const [one, two] = await Promise.all(
      ['One', 'Two'].map(async (name) => {
        const { apiKey } = await shared.addMerchant({ name });
        return connectSandbox({ url: served.url, apiKey });
      }),
    );
    if (one === undefined || two === undefined) throw new Error('not made');
    expect([(await one.merchant()).name, (await two.merchant()).name]).toEqual(['One', 'Two']);
    await one.seed({ charges: 1 });
    await one.setMerchant({ available: 70 });
    expect((await two.merchant()).balance.available).toBe(0);
    expect((await shared.merchant()).name).toBe('Loja Sandbox');
    const { id } = await one.trigger('CHECKOUT_PAID');
    expect(await two.events()).toEqual([]);
    await expect(two.waitForEvent('CHECKOUT_PAID', 1)).rejects.toMatchObject({ code: 'NO_EVENT' });
    expect(await two.events({ merchantId: one.merchantId })).toMatchObject([{ id }]);
    expect(await one.waitForEvent('CHECKOUT_PAID')).toMatchObject({ id });
    expect(await shared.waitForEvent('CHECKOUT_PAID')).toMatchObject({ id });
    const authorization = `Bearer ${one.apiKey}`;
    await fetch(`${served.url}/withdrawals`, { headers: { authorization } });
    expect([await one.requests(), await two.requests()]).toMatchObject([
      [{ operation: 'listWithdrawals' }],
      [],
    ]);
    expect(await shared.requests()).toHaveLength(1);
  });

  it('shows the deliveries of its own merchant only', async () => {
    const served = await serve();
    const other = await connectSandbox({ url: served.url, ...served.addMerchant() });
    await served.post('/webhooks', { url: `http://127.0.0.1:${await freePort()}/`, events: ['CHARGE_PAID'] });
    served.trigger('CHARGE_PAID');
    await served.clock.advance('1m');
    expect(await other.deliveries()).toEqual([]);
    expect(await other.deliveries({ merchantId: served.merchantId })).toMatchObject([{ state: 'FAILED' }]);
  });

  it('hands out what a sandbox has after somebody else restored it, before a wait and during one', async () => {
    await using elsewhere = await startSandbox();
    for (const of of ['first', 'second', 'third']) elsewhere.trigger('CHARGE_PAID', { of });
    const served = await serve();
    await using sandbox = await connectSandbox(served);
    for (let count = 0; count < 3; count++) {
      served.trigger('CHARGE_PAID');
      await sandbox.waitForEvent('CHARGE_PAID');
    }
    await served.restore(elsewhere.snapshot());
    expect(await sandbox.waitForEvent('CHARGE_PAID', 0)).toMatchObject({ data: { of: 'first' } });
    await sandbox.waitForEvent('CHARGE_PAID', 0);
    await sandbox.waitForEvent('CHARGE_PAID', 0);
    const waiting = sandbox.waitForEvent('CHARGE_PAID', 60_000);
    await sandbox.merchant();
    for (const of of ['fourth', 'fifth']) elsewhere.trigger('CHARGE_PAID', { of });
    await served.restore(elsewhere.snapshot());
    const seen = [await waiting, await sandbox.waitForEvent('CHARGE_PAID', 0)];
    expect(seen.map(({ data }) => data.of).sort()).toEqual(['fifth', 'fourth']);
  });

  it('knows which merchant is the first after it restored another world', async () => {
    await using elsewhere = await startSandbox({ merchant: { name: 'Outra loja' } });
    const served = await serve();
    const sandbox = await connectSandbox(served);
    const own = sandbox.merchantId;
    await sandbox.restore(elsewhere.snapshot());
    expect(sandbox.merchantId).toBe(elsewhere.merchantId);
    expect((await sandbox.merchant()).name).toBe('Outra loja');
    await sandbox.reset();
    expect(sandbox.merchantId).toBe(own);
  });

  it('tells a merchant that a reset has forgotten', async () => {
    const served = await serve();
    const other = await connectSandbox({ url: served.url, ...served.addMerchant() });
    await served.reset();
    await expect(other.merchant()).rejects.toMatchObject({
      ...{ code: 'NOT_FOUND', message: `there is no merchant ${other.merchantId}` },
    });
  });

  it('asks again during a long wait, so that no request lasts for more than a minute', async () => {
    await using server = await hostileServer((response, { path }) => {
      response.setHeader('x-sandbox', 'pixctl');
      if (path.startsWith('/__sandbox/events')) return json(response, 408, {});
      json(response, 200, { version, controlToken: 't', merchantId: 'm', isFirstMerchant: true });
    });
    const sandbox = await connectSandbox({ url: server.url, apiKey: key });
    await expect(sandbox.waitForEvent('CHARGE_PAID', 150_000)).rejects.toMatchObject({ code: 'NO_EVENT' });
    const asked = server.received.slice(1).map(({ path }) => /timeout=\d+/.exec(path)?.[0]);
    expect(asked).toEqual(['timeout=60000', 'timeout=60000', 'timeout=30000']);
  });

  it('takes no refusal for a snapshot, and says the hint of the sandbox', async () => {
    const error = { code: 'STATE_UNUSABLE', message: 'the disk is full', hint: 'make room' };
    await using server = await hostileServer((response, { path }) => {
      response.setHeader('x-sandbox', 'pixctl');
      if (path.startsWith('/__sandbox/snapshot')) return json(response, 507, { error });
      json(response, 200, { version, controlToken: 't', merchantId: 'm', isFirstMerchant: true });
    });
    const sandbox = await connectSandbox({ url: server.url, apiKey: key });
    await expect(sandbox.snapshot()).rejects.toMatchObject({ ...error, exit: 74, httpStatus: 507 });
  });

  it('takes no trouble of the sandbox for an answer, and goes on once that is over', async () => {
    let isTroubled = true;
    await using server = await hostileServer((response, { path }) => {
      response.setHeader('x-sandbox', 'pixctl');
      if (path.startsWith('/__sandbox/connection'))
        return json(response, 200, { version, controlToken: 't', merchantId: 'm', isFirstMerchant: true });
      if (isTroubled) return json(response, 500, { error: { code: 'INTERNAL_ERROR', message: 'odd' } });
      const isAsked = new URL(path, 'http://sandbox').searchParams.get('replacements') === '0';
      response.setHeader('x-sandbox-replacements', '0');
      json(response, isAsked ? 200 : 400, {
        id: 'evt_1',
        error: { code: 'VALIDATION_ERROR', message: path },
      });
    });
    const sandbox = await connectSandbox({ url: server.url, apiKey: key });
    const trouble = { code: 'INTERNAL_ERROR', status: 500 };
    await expect(sandbox.faults.clear()).rejects.toMatchObject(trouble);
    await expect(sandbox.waitForEvent('CHARGE_PAID', 1)).rejects.toMatchObject(trouble);
    isTroubled = false;
    expect(await sandbox.waitForEvent('CHARGE_PAID', 1)).toMatchObject({ id: 'evt_1' });
  });

  it('says that an answer that was cut off may have had its effect', async () => {
    let calls = 0;
    await using server = await hostileServer((response) => {
      response.setHeader('x-sandbox', 'pixctl');
      calls += 1;
      if (calls > 1) return void response.socket?.destroy();
      json(response, 200, { version, controlToken: 't', merchantId: 'm', isFirstMerchant: true });
    });
    const sandbox = await connectSandbox({ url: server.url, apiKey: key });
    await expect(sandbox.pay('chg_1')).rejects.toMatchObject({
      code: 'NO_ANSWER',
      message: `The sandbox at ${server.url} did not answer the request (ECONNRESET). It may have carried it out.`,
    });
  });
});

describe('a sandbox of the command line', () => {
  const children: ReturnType<typeof start>[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  it('is driven by what its start printed', async () => {
    const child = start(['sandbox', 'start', '--no-profile', '--exit-with-stdin', '-o', 'json']);
    children.push(child);
    child.stderr.resume();
    const [line] = await once(child.stdout, 'data');
    await using sandbox = await connectSandbox(JSON.parse(String(line)));
    const response = await fetch(`${sandbox.url}/transparents/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ method: 'PIX', amount: 1_050, expiresIn: 3_600 }),
    });
    const { data } = (await response.json()) as { data: { id: string } };
    await sandbox.clock.advance('1h');
    await expect(sandbox.pay(data.id)).rejects.toThrow(`charge ${data.id} is EXPIRED`);
    child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);
  });
});
