/** What a person is about to do on a page stays as it is while the page changes: in a real browser. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type Served, serve } from '../sandbox/support/over-http.ts';
import { startReceiver } from '../support/receiver.ts';
import { inBrowser, open } from './browser.ts';

const at = ({ url }: Served, path: string) => `${url}/__sandbox/ui/${path}`;

async function opened(sandbox: Served, path: string): Promise<Page> {
  const page = await open();
  await page.goto(sandbox.uiUrl);
  await page.goto(at(sandbox, path));
  return page;
}

/** An event whose first attempt failed, with a clock that stands still. */
async function failedOnce(sandbox: Served, hook: { url: string; arrived(count: number): Promise<void> }) {
  await sandbox.post('/webhooks', { url: hook.url, events: ['CHARGE_PAID'] });
  sandbox.clock.freeze();
  sandbox.pay((await sandbox.charge()).id);
  await hook.arrived(1);
  return `events/${sandbox.events()[0]?.id}`;
}

inBrowser('under the hands of a person', () => {
  it('a field keeps the focus when a button before it goes: what is typed on would be taken for keys', async () => {
    const sandbox = await serve();
    sandbox.clock.freeze();
    const { id } = await sandbox.charge();
    const page = await opened(sandbox, 'clock');
    await page.getByTestId('advance-next').waitFor();
    const before = sandbox.clock.now();
    await page.getByLabel('By', { exact: true }).pressSequentially('1');
    sandbox.expire(id);
    await page.getByTestId('advance-next').waitFor({ state: 'detached' });
    await page.keyboard.type('5d');
    expect(await page.getByLabel('By', { exact: true }).inputValue()).toBe('15d');
    expect(sandbox.clock.now()).toBe(before);
  });

  it('the attempts chosen for a comparison stay chosen when another attempt comes', async () => {
    await using hook = await startReceiver(500, 500, 500);
    const sandbox = await serve();
    const page = await opened(sandbox, await failedOnce(sandbox, hook));
    await page.getByTestId('advance-next').click();
    await page.getByLabel('One').selectOption('1.2');
    await page.getByLabel('Other').selectOption('1.1');
    await page.getByTestId('advance-next').click();
    await expect.poll(() => page.getByLabel('Other').getByRole('option').count()).toBe(3);
    expect(await page.getByLabel('One').inputValue()).toBe('1.2');
    expect(await page.getByLabel('Other').inputValue()).toBe('1.1');
  });

  it('the signature lab keeps what it was handed, and its verdict, while its head is shown anew', async () => {
    await using hook = await startReceiver(500);
    const sandbox = await serve();
    const page = await opened(sandbox, await failedOnce(sandbox, hook));
    await page.getByText('To the signature lab').click();
    await page.getByTestId('verdict').waitFor();
    await page.getByLabel('Secret, typed').fill('whsec_half');
    await sandbox.clock.advance('24h');
    const day = new Date(sandbox.clock.now()).toISOString().slice(0, 10);
    await page.locator('header time').getByText(day).waitFor();
    expect(await page.getByLabel('Secret, typed').inputValue()).toBe('whsec_half');
    expect(await page.getByLabel('Signature header').inputValue()).toMatch(/^t=\d+,v1=/);
    expect(await page.getByTestId('verdict').count()).toBe(1);
  });

  it('the next stop of the keyboard after Pay is what can be done now, and its end is announced', async () => {
    const sandbox = await serve({ merchant: { available: 1_000_000 } });
    const { id } = await sandbox.charge();
    const page = await opened(sandbox, `charges/${id}`);
    await page.getByTestId('pay').focus();
    await page.keyboard.press('Enter');
    await page.locator('h1 [aria-live=polite]').getByText('PAID', { exact: true }).waitFor();
    const stops: string[] = [];
    for (const _ of [1, 2, 3]) {
      await page.keyboard.press('Tab');
      stops.push(await page.evaluate<string>('document.activeElement.firstChild.data'));
    }
    expect(stops).toEqual(['\u2190 Charges', 'Refund', 'Dispute']);
  });

  it('a button that copies has its name again, however often it is pressed', async () => {
    const sandbox = await serve();
    await sandbox.charge();
    const page = await opened(sandbox, 'requests/1');
    await page.clock.install();
    await page.reload();
    const copy = page.getByRole('button', { name: 'Copy as curl' });
    await copy.click();
    // It says so, or that the browser did not let it.
    await copy.getByText(/copied/i).waitFor();
    await copy.click();
    await page.clock.runFor(10_000);
    expect(await copy.textContent()).toBe('Copy as curl');
  });
});
