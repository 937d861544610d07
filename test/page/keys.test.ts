/** The keys of a page, for who uses them and for whom they are in the way: in a real browser. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { serve } from '../sandbox/support/over-http.ts';
import { deliver, eventBody } from '../support/delivery.ts';
import { homeWithSecret, listen } from '../support/listen.ts';
import { inBrowser, open } from './browser.ts';

inBrowser('the keys of a page', () => {
  it('are no part of the name of what they press', async () => {
    const sandbox = await serve();
    const { id } = await sandbox.charge();
    const page = await open();
    await page.goto(sandbox.uiUrl);
    await page.goto(`${sandbox.url}/__sandbox/ui/charges/${id}`);
    const pay = page.getByRole('button', { name: 'Pay', exact: true });
    expect(await pay.getAttribute('aria-keyshortcuts')).toBe('p');
    expect(await pay.locator('kbd').textContent()).toBe('P');
    await page.getByRole('link', { name: 'Pay as the payer', exact: true }).waitFor();
    await page.goto(`${sandbox.url}/__sandbox/ui/clock`);
    const advance = page.getByRole('button', { name: '+2s', exact: true });
    expect(await advance.getAttribute('title')).toBe('Advance by 2s');
  });

  it('are explained, and Enter closes that again', async () => {
    const sandbox = await serve();
    const page = await open();
    await page.goto(sandbox.uiUrl);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('4');
    await page.waitForURL(/clock$/);
  });

  it('can be turned off, and are off until they are turned on again', async () => {
    const sandbox = await serve();
    const { id } = await sandbox.charge();
    const page = await open();
    await page.goto(sandbox.uiUrl);
    const charge = `${sandbox.url}/__sandbox/ui/charges/${id}`;
    await page.goto(charge);
    const turn = async (named: 'check' | 'uncheck') => {
      await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
      await page.getByRole('checkbox', { name: 'These keys act.' })[named]();
      await page.getByRole('button', { name: 'Close' }).click();
    };
    await turn('uncheck');
    const told = page.locator('[data-shortcut], [aria-keyshortcuts], main kbd');
    await expect.poll(() => told.count()).toBe(0);
    await page.keyboard.type('p1j?');
    expect([page.url(), await page.locator('dialog[open]').count()]).toEqual([charge, 0]);
    // A later page knows of it, and what is no letter still acts.
    await page.keyboard.press('Escape');
    await page.waitForURL(/charges$/);
    await page.keyboard.type('4j?');
    expect([await told.count(), await page.locator('a.row:focus, dialog[open]').count()]).toEqual([0, 0]);
    expect((await sandbox.control('GET', `/charges/${id}`)).body.status).toBe('PENDING');

    await page.goto(charge);
    await turn('check');
    await page.locator('[data-shortcut=p]').waitFor();
    await page.keyboard.press('p');
    await page.getByText('PAID', { exact: true }).waitFor();
  });

  it('stay off on the page of a later listener, which has another port', async () => {
    const home = homeWithSecret();
    const flags = ['--ui', '--port', '0', '--secret-file', join(home, 'secret')];
    const page = await open();
    const first = await listen(home, flags);
    await page.goto(String(first.ready.uiUrl));
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('checkbox').uncheck();
    await deliver(first.url, eventBody('evt_1'));
    await first.stop();
    const second = await listen(home, flags);
    await page.goto(String(second.ready.uiUrl));
    await page.getByRole('link', { name: 'CHARGE_PAID' }).click();
    await page.getByTestId('replay').waitFor();
    expect(await page.locator('[data-shortcut], main kbd').count()).toBe(0);
    await second.stop();
  });
});
