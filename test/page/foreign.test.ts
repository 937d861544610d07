/** Whoever is not this page on this machine with its token: reads nothing, drives nothing. */
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serve } from '../sandbox/support/over-http.ts';
import { homeWithSecret, listen } from '../support/listen.ts';
import { listenOnLoopback } from '../support/listen-on-loopback.ts';
import { inBrowser, open } from './browser.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly cookie: string | undefined;
}

/** A request with exactly these headers: `fetch` would not let us lie about Host. */
function ask(url: string, method: string, headers: Record<string, string>, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: Buffer.concat(chunks).toString('utf8'),
          cookie: response.headers['set-cookie']?.[0]?.split(';')[0],
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Of the real program; what it says of its page is an error here. */
async function listenersPage() {
  const home = homeWithSecret();
  const listener = await listen(home, ['--ui', '--port', '0', '--secret-file', join(home, 'secret')]);
  return {
    ui: String(listener.ready.uiUrl),
    async [Symbol.asyncDispose]() {
      await listener.stop();
      expect(listener.stderr()).not.toContain('TypeError');
    },
  };
}

describe('who may see the page', () => {
  it('answers nobody without the cookie, under a foreign Host, from a foreign page or with a forged form', async () => {
    const sandbox = await serve();
    const { id } = await sandbox.charge();
    const page = `${sandbox.url}/__sandbox/ui/charges/${id}`;
    const own = sandbox.url.replace('http://', '');
    const { cookie = '' } = await ask(sandbox.uiUrl, 'GET', {});
    const good = await ask(page, 'GET', { cookie });
    expect(good.status).toBe(200);
    const form = /name="_form" value="([^"]+)"/.exec(good.body)?.[1] ?? '';
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const pay = `${sandbox.url}/__sandbox/ui/pay/${id}`;
    const cases: [number, string, string, Record<string, string>, string?][] = [
      [401, 'GET', page, {}],
      [401, 'GET', `${page}?token=wrong`, {}],
      [401, 'GET', page, { cookie: cookie.replace(/=.*/, `=${sandbox.controlToken}`) }],
      [403, 'GET', page, { cookie, host: 'evil.example' }],
      [403, 'GET', page, { cookie, host: `localhost.evil.example:${own.split(':')[1]}` }],
      [403, 'GET', page, { cookie, origin: 'http://127.0.0.1:1' }],
      [403, 'GET', page, { cookie, origin: 'null' }],
      [403, 'GET', page, { cookie, 'sec-fetch-site': 'same-site' }],
      [403, 'GET', page, { cookie, 'sec-fetch-site': 'cross-site' }],
      [
        403,
        'GET',
        `${sandbox.url}/__sandbox/ui/live?topics=records`,
        { cookie, 'sec-fetch-site': 'same-site' },
      ],
      [403, 'POST', pay, { cookie, ...type }, `_form=${form}`],
      [403, 'POST', pay, { cookie, origin: sandbox.url, ...type }, ''],
      [403, 'POST', pay, { cookie, origin: sandbox.url, ...type }, '_form=wrong'],
      [403, 'POST', pay, { cookie, origin: 'http://evil.example', ...type }, `_form=${form}`],
      [401, 'POST', pay, { origin: sandbox.url, ...type }, `_form=${form}`],
    ];
    for (const [status, method, url, headers, body] of cases) {
      const answer = await ask(url, method, headers, body);
      expect([method, url, headers, answer.status]).toEqual([method, url, headers, status]);
      expect(answer.body).not.toContain(id);
    }
    expect((await sandbox.control('GET', `/charges/${id}`)).body.status).toBe('PENDING');
    await ask(pay, 'POST', { cookie, origin: sandbox.url, ...type }, `_form=${form}`);
    expect((await sandbox.control('GET', `/charges/${id}`)).body.status).toBe('PAID');
  });

  it.each([
    ['the sandbox', async () => ({ ui: (await serve()).uiUrl, [Symbol.asyncDispose]: async () => {} })],
    ['a listener', listenersPage],
  ])('judges a form of %s that does not say how long it is', async (_, page) => {
    await using it = await page();
    const { ui } = it;
    const { cookie = '' } = await ask(ui, 'GET', {});
    const lab = new URL('lab', ui).href;
    const chunked = { cookie, origin: new URL(ui).origin, 'transfer-encoding': 'chunked' };
    const send = (body: string) =>
      ask(lab, 'POST', { ...chunked, 'content-type': 'application/x-www-form-urlencoded' }, body);
    expect(await send('x=1')).toMatchObject({
      status: 403,
      body: expect.stringContaining('Nothing was done'),
    });
    expect(await send(`x=${'1'.repeat(2 * 1024 * 1024)}`)).toMatchObject({ status: 413 });
    const form = /name="_form" value="([^"]+)"/.exec((await ask(lab, 'GET', { cookie })).body)?.[1] ?? '';
    expect(await send(`_form=${form}`)).toMatchObject({ status: 200 });
  });

  it('takes no cookie for the control plane', async () => {
    const sandbox = await serve();
    const { cookie = '' } = await ask(sandbox.uiUrl, 'GET', {});
    expect((await ask(`${sandbox.url}/__sandbox/charges`, 'GET', { cookie })).status).toBe(401);
  });

  it('sends a browser that asks for the control plane to the page', async () => {
    const sandbox = await serve();
    const answer = await fetch(`${sandbox.url}/__sandbox/`, {
      headers: { accept: 'text/html' },
      redirect: 'manual',
    });
    expect(answer.headers.get('location')).toBe('/__sandbox/ui/');
  });
});

inBrowser('a page of another origin', () => {
  it('that is ours too leaves this one open: a browser sends cookies to every port of a machine', async () => {
    const [one, other] = [await serve(), await serve()];
    const page = await open();
    await page.goto(one.uiUrl);
    await page.goto(other.uiUrl);
    const again = await page.goto(`${one.url}/__sandbox/ui/charges`);
    expect(again?.status()).toBe(200);
  });

  it('on another port of this machine, with our cookie in the browser, reads and drives nothing', async () => {
    const sandbox = await serve();
    const { id } = await sandbox.charge();
    const other = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<p>other</p>'),
    );
    const port = await listenOnLoopback(other);
    try {
      const page = await open();
      await page.goto(sandbox.uiUrl);
      await page.goto(`http://127.0.0.1:${port}/`);
      const ui = `${sandbox.url}/__sandbox/ui`;
      const told = await page.evaluate(`(async () => {
        const tried = async (work) => { try { return await work(); } catch (error) { return 'refused'; } };
        const frame = document.createElement('iframe');
        frame.src = '${ui}/charges';
        const framed = new Promise((resolve) => { frame.onload = () => resolve(tried(() => frame.contentDocument?.body.textContent ?? 'refused')); });
        document.body.append(frame);
        return [
          await tried(() => fetch('${ui}/charges', { credentials: 'include' }).then((it) => it.text())),
          await tried(() => fetch('${ui}/pay/${id}', { method: 'POST', mode: 'no-cors', credentials: 'include' }).then((it) => it.type)),
          await tried(() => fetch('${sandbox.url}/__sandbox/charges/${id}/pay', { method: 'POST', mode: 'no-cors', credentials: 'include' }).then((it) => it.type)),
          await new Promise((resolve) => { const source = new EventSource('${ui}/live?topics=records', { withCredentials: true }); source.onmessage = () => resolve('heard'); source.onerror = () => resolve('refused'); }),
          await framed,
        ];
      })()`);
      expect(told).toEqual(['refused', 'refused', 'opaque', 'refused', 'refused']);
      const landed = page.waitForNavigation();
      await page.evaluate(`(() => {
        const form = document.createElement('form');
        form.method = 'post';
        form.action = '${ui}/pay/${id}';
        document.body.append(form);
        form.submit();
      })()`);
      expect((await landed)?.status()).toBe(403);
      expect((await sandbox.control('GET', `/charges/${id}`)).body.status).toBe('PENDING');
    } finally {
      other.closeAllConnections();
      other.close();
    }
  });
});
