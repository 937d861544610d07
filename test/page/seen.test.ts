/** What can be seen of a page: without colours, without script, on a phone, beside hostile text. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { serve } from '../sandbox/support/over-http.ts';
import { deliver, eventBody } from '../support/delivery.ts';
import { homeWithSecret, listen } from '../support/listen.ts';
import { startReceiver } from '../support/receiver.ts';
import { inBrowser, open } from './browser.ts';

inBrowser('what can be seen of a page', () => {
  it('distinguishes its section from the others in system colours', async () => {
    const sandbox = await serve();
    const page = await open({ forcedColors: 'active' });
    await page.goto(sandbox.uiUrl);
    const lines = await page.evaluate<string[]>(
      `[...document.querySelectorAll('header nav a')].map((it) => getComputedStyle(it).borderBottomColor)`,
    );
    expect(lines.filter((colour) => colour === lines[0]).length).toBe(1);
  });

  it('shows each section at 360 pixels, the one it is in too', async () => {
    const sandbox = await serve();
    const page = await open({ viewport: { width: 360, height: 740 } });
    await page.goto(sandbox.uiUrl);
    const hidden = await page.evaluate(
      `[...document.querySelectorAll('header nav a')].filter((it) => it.getBoundingClientRect().right > innerWidth).length`,
    );
    expect(hidden).toBe(0);
  });

  it('leads from any part of a row to its own record, in WebKit too, where only a cell can place a link', async () => {
    const sandbox = await serve();
    const { id } = await sandbox.charge();
    await sandbox.charge();
    const page = await open();
    await page.goto(sandbox.uiUrl);
    const row = page.locator(`[data-key="${id}"]`);
    const placing = `[...document.querySelectorAll('tbody tr, tbody td:first-child')].map((it) => getComputedStyle(it).position)`;
    expect(await page.evaluate(placing)).toEqual(['static', 'relative', 'static', 'relative']);
    const { x, y, width, height } = (await row.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.click(x + width - 4, y + height / 2);
    await page.waitForURL(new RegExp(`/charges/${id}$`));
    await page.mouse.click(4, 400);
    expect(page.url()).toMatch(new RegExp(`/charges/${id}$`));
  });

  it('keeps the choices of a select inside it, which would widen the page in WebKit', async () => {
    const sandbox = await serve();
    const page = await open();
    await page.goto(sandbox.uiUrl);
    await page.goto(`${sandbox.url}/__sandbox/ui/faults`);
    expect(await page.evaluate(`getComputedStyle(document.querySelector('select')).contain`)).toBe('paint');
  });

  it('prints a charge without what only a screen can press', async () => {
    const sandbox = await serve();
    const { id } = await sandbox.charge();
    const page = await open();
    await page.goto(sandbox.uiUrl);
    await page.goto(`${sandbox.url}/__sandbox/ui/charges/${id}`);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByTestId('qr').isVisible()).toBe(true);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.getByRole('navigation').count()).toBe(0);
  });

  it('has its head on two lines and the sections at 320 pixels', async () => {
    const sandbox = await serve();
    const page = await open({ viewport: { width: 320, height: 740 } });
    await page.goto(sandbox.uiUrl);
    const tops = await page.evaluate<number[]>(
      `['.name', '.clock', '[data-help]'].map((it) => document.querySelector(it).getBoundingClientRect()).map(({ top, height }) => Math.round((top + height / 2) / 8))`,
    );
    expect(new Set(tops).size).toBe(1);
  });

  it('has no button without script that would do nothing', async () => {
    const sandbox = await serve();
    await sandbox.charge();
    const page = await open({ javaScriptEnabled: false });
    await page.goto(sandbox.uiUrl);
    await page.goto(`${sandbox.url}/__sandbox/ui/requests/1`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
  });

  it('says in words what differs between two attempts, and fits a header with a long name', async () => {
    await using hook = await startReceiver((_, response) =>
      response.writeHead(500, { [`x-${'n'.repeat(300)}`]: 'v' }).end(),
    );
    const sandbox = await serve();
    await sandbox.post('/webhooks', { url: hook.url, events: ['CHARGE_PAID'] });
    sandbox.clock.freeze();
    sandbox.pay((await sandbox.charge()).id);
    await hook.arrived(1);
    const page = await open({ viewport: { width: 360, height: 740 } });
    await page.goto(sandbox.uiUrl);
    await page.goto(`${sandbox.url}/__sandbox/ui/events/${sandbox.events()[0]?.id}`);
    await page.getByTestId('advance-next').click();
    await page.getByTestId('compare').click();
    const comparison = page.getByTestId('comparison');
    await comparison.getByRole('rowheader', { name: 'outcome differs' }).waitFor();
    expect(await comparison.getByRole('rowheader', { name: 'request body', exact: true }).count()).toBe(1);
    const tooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(await page.evaluate(tooWide)).toBe(false);
  });

  it('has the clock of the sandbox in its head where the list says nothing of it', async () => {
    const sandbox = await serve();
    await sandbox.charge();
    const page = await open();
    await page.goto(sandbox.uiUrl);
    for (const path of ['requests', 'requests/1', 'assumptions', 'lab']) {
      await page.goto(`${sandbox.url}/__sandbox/ui/${path}`);
      await sandbox.clock.advance('24h');
      const day = new Date(sandbox.clock.now()).toISOString().slice(0, 10);
      await page.locator('header time').getByText(day).waitFor();
    }
  });

  it('keeps a state where it is beside the name of an event that turns the direction of text', async () => {
    await using application = await startReceiver();
    const home = homeWithSecret();
    const secret = join(home, 'secret');
    const listener = await listen(home, [
      ...['--ui', '--port', '0', '--secret-file', secret],
      ...['-f', application.url],
    ]);
    try {
      await deliver(listener.url, eventBody('evt_1', '\u202eDELIVERED'));
      const page = await open();
      await page.goto(String(listener.ready.uiUrl));
      await page.locator('a.row').click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      const places = await page.evaluate<number[]>(
        `[...document.querySelector('h1').children].map((it) => it.getBoundingClientRect().left)`,
      );
      expect(places.length).toBe(2);
      expect(places[0]).toBeLessThan(places[1] ?? 0);
    } finally {
      await listener.stop();
    }
  });
});
