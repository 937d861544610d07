/** The sandbox's page in a real browser. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type Served, serve } from '../sandbox/support/over-http.ts';
import { startReceiver } from '../support/receiver.ts';
import { inBrowser, open } from './browser.ts';
import { namedAlike, nameless } from './names.ts';

const hostile = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>"'&amp;`;

const at = ({ url }: Served, path: string) => `${url}/__sandbox/ui/${path}`;

/** Counts what the page asks for from now on. */
function counted(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  return asked;
}

inBrowser("the sandbox's page", () => {
  it('exchanges the token in its address for a cookie that no script reads', async () => {
    const sandbox = await serve();
    const page = await open();
    await page.goto(sandbox.uiUrl);
    expect(page.url()).toBe(at(sandbox, 'charges'));
    expect(await page.evaluate('document.cookie')).toBe('');
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/__sandbox/ui' });
    expect(cookie?.value).not.toContain(sandbox.controlToken);
  });

  it('shows a charge made through the API without a reload, and is told that it was paid by a click', async () => {
    await using hook = await startReceiver(500, 200, 429);
    const sandbox = await serve();
    await sandbox.post('/webhooks', { url: hook.url, events: ['CHARGE_PAID'] });
    sandbox.clock.freeze();
    const page = await open();
    await page.goto(sandbox.uiUrl);
    await page.getByTestId('charges-empty').waitFor();
    await page.evaluate('window.same = true');
    const { id } = await sandbox.charge(1_050);
    await page.locator(`[data-key="${id}"]`).waitFor();
    expect(await page.evaluate('window.same')).toBe(true);

    await page.getByRole('link', { name: id }).click();
    await page.getByTestId('qr').waitFor();
    expect(await page.evaluate('document.querySelector("[data-testid=qr]").naturalWidth')).toBeGreaterThan(
      100,
    );
    await page.getByTestId('as-payer').click();
    expect(await page.getByTestId('payer-amount').textContent()).toBe('R$ 10,50');
    await page.getByTestId('confirm').click();
    await page.getByTestId('receipt').waitFor();

    await hook.arrived(1);
    await page.goto(at(sandbox, 'events'));
    await page.getByRole('link', { name: 'CHARGE_PAID' }).click();
    await page.getByText('HTTP 500; attempt 2 of 3 follows 2 s later.', { exact: true }).waitFor();
    expect(await page.getByTestId('countdown').textContent()).toBe('in 2.0 s');
    await page.getByTestId('advance-next').click();
    await page.getByTestId('delivery').getByText('DELIVERED', { exact: true }).waitFor();
    expect(await page.getByTestId('attempt').count()).toBe(2);

    await page.getByTestId('replay').click();
    await page
      .getByText('429 is a 4xx: rejected for good, the event is lost to this endpoint.', { exact: false })
      .waitFor();
    expect(hook.received.map(({ body }) => body)).toEqual(Array(3).fill(hook.received[0]?.body));
  });

  it('compares two attempts, and sends an edited copy', async () => {
    await using hook = await startReceiver();
    const sandbox = await serve();
    await sandbox.post('/webhooks', { url: hook.url, events: ['CHARGE_PAID'] });
    sandbox.pay((await sandbox.charge()).id);
    await hook.arrived(1);
    const page = await open();
    await page.goto(sandbox.uiUrl);
    await page.keyboard.press('2');
    await page.getByRole('link', { name: 'CHARGE_PAID' }).click();
    await page.getByTestId('replay').click();
    await hook.arrived(2);
    await page.getByTestId('compare').click();
    const same = page.getByTestId('comparison').getByRole('row', { name: 'request body' });
    expect(await same.getAttribute('class')).toBe(null);
    const first = page.getByTestId('delivery').last();
    await first.getByText('Edit and replay').click();
    await first.getByRole('textbox').fill('{"id":"chg_other","amount":7}');
    await first.getByTestId('send-edited').click();
    await hook.arrived(3);
    expect(JSON.parse(hook.received[2]?.body ?? '')).toMatchObject({
      event: 'CHARGE_PAID',
      data: { id: 'chg_other', amount: 7 },
    });
  });

  it('names the delivery of each attempt to compare and of each control, when an event went to two endpoints', async () => {
    await using one = await startReceiver();
    await using other = await startReceiver();
    const sandbox = await serve();
    for (const { url } of [one, other]) await sandbox.post('/webhooks', { url, events: ['CHARGE_PAID'] });
    sandbox.pay((await sandbox.charge()).id);
    await Promise.all([one.arrived(1), other.arrived(1)]);
    const page = await open();
    await page.goto(sandbox.uiUrl);
    await page.keyboard.press('2');
    await page.getByRole('link', { name: 'CHARGE_PAID' }).click();
    const choices = page.getByLabel('One').getByRole('option');
    await expect
      .poll(() => choices.allTextContents())
      .toEqual(['delivery 1, attempt 1: HTTP 200', 'delivery 2, attempt 1: HTTP 200']);
    for (const name of ['Replay, signed again', 'Replay, identical', 'To the signature lab']) {
      const buttons = page.getByRole('button', { name });
      expect(await buttons.count()).toBe(2);
      for (const delivery of ['1', '2'])
        expect(
          await page.getByRole('button', { name: `${name}: delivery ${delivery}`, exact: true }).count(),
        ).toBe(1);
    }
    expect(await namedAlike(page)).toEqual([]);
  });

  it('shows hostile text as text, wherever it comes from', async () => {
    await using hook = await startReceiver((_, response) => response.end(hostile));
    const sandbox = await serve({ withdrawals: 'manual', merchant: { name: hostile, available: 100_000 } });
    await sandbox.post('/webhooks', { url: `${hook.url}?${encodeURI(hostile)}`, events: ['CHARGE_PAID'] });
    const customer = sandbox.addCustomer({ name: hostile, email: 'a@example.com', taxId: '52998224725' });
    const { id } = await sandbox.charge(1_050, { description: hostile, customerId: customer.id });
    sandbox.pay(id);
    await hook.arrived(1);
    await sandbox.send('GET', `/nowhere/${encodeURIComponent(hostile)}?q=${encodeURIComponent(hostile)}`);
    await sandbox.post('/transparents/create', { method: hostile });
    sandbox.trigger('CHARGE_PAID', { id: hostile, [hostile]: hostile });
    const made = await sandbox.post('/withdrawals', {
      amount: 1_000,
      pixKey: '123e4567-e12b-12d1-a456-426655440000',
      pixKeyType: 'CHAVE_ALEATORIA',
    });
    sandbox.failWithdrawal(made.body.data.id, hostile);
    const page = await open();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(sandbox.uiUrl);
    const events = sandbox.events().map((event) => `events/${event.id}`);
    for (const path of [
      ...['charges', 'events', 'money', 'requests', 'requests/3', 'requests/4', 'clock', 'faults'],
      ...[`charges/${id}`, `pay/${id}`, `withdrawals/${made.body.data.id}`],
      ...events,
    ]) {
      await page.goto(at(sandbox, path));
      expect([path, await page.title()]).not.toContain('owned');
      const made =
        'document.querySelectorAll("img:not([data-testid=qr]), script:not([src]), [onerror]").length';
      expect([path, await page.evaluate(made)]).toEqual([path, 0]);
    }
    await page.goto(at(sandbox, `charges/${id}`));
    expect(await page.getByText(hostile, { exact: true }).count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('stays small with 10,000 charges: a page of rows, and few requests however much happens', async () => {
    const sandbox = await serve();
    sandbox.seed({ charges: 10_000 });
    const page = await open();
    await page.goto(sandbox.uiUrl);
    expect(await page.getByTestId('charges').locator('tbody tr').count()).toBe(50);
    expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(900);
    const asked = counted(page);
    const { ids } = await (async () => {
      const made: string[] = [];
      for (let n = 0; n < 200; n += 1) made.push((await sandbox.charge()).id);
      return { ids: made };
    })();
    await page.locator(`[data-key="${ids.at(-1)}"]`).waitFor();
    // At most four a second, and far fewer than there were charges.
    expect(asked.length).toBeLessThan(150);
    expect(await page.getByTestId('charges').locator('tbody tr').count()).toBe(50);
    await page.keyboard.press(']');
    await page.waitForURL(/before=/);
    expect(await page.getByTestId('charges').locator('tbody tr').count()).toBe(50);
  });

  it('is driven by the keyboard alone', async () => {
    const sandbox = await serve();
    const { id } = await sandbox.charge();
    await sandbox.charge();
    const page = await open();
    await page.goto(sandbox.uiUrl);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const outline = 'getComputedStyle(document.activeElement.closest("tr")).outlineStyle';
    expect(await page.evaluate(outline)).toBe('solid');
    await page.keyboard.press('Enter');
    await page.waitForURL(at(sandbox, `charges/${id}`));
    await page.keyboard.press('p');
    await page.getByText('PAID', { exact: true }).waitFor();
    await page.keyboard.press('r');
    await page.getByText('REFUNDED', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(at(sandbox, 'charges'));
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.waitFor();
    const named = await help.locator('kbd').allTextContents();
    expect(named.slice(8)).toEqual(['j, k', 'Enter', '[, ]', 'Esc', '?']);
    await page.keyboard.press('Escape');
    await page.keyboard.press('4');
    await page.waitForURL(at(sandbox, 'clock'));
    const before = sandbox.clock.now();
    await page.keyboard.press('f');
    await page.getByTestId('clock-mode').getByText('offset').waitFor();
    expect(sandbox.clock.now() - before).toBeGreaterThanOrEqual(3_600_000);
  });

  it('keeps what is typed, and the focus, while the page changes around it', async () => {
    const sandbox = await serve();
    const page = await open();
    await page.goto(sandbox.uiUrl);
    await page.goto(at(sandbox, 'clock'));
    await page.getByLabel('By', { exact: true }).fill('17m');
    const { id } = await sandbox.charge();
    await page.getByText(`charge ${id} expires`).waitFor();
    expect(await page.getByLabel('By', { exact: true }).inputValue()).toBe('17m');
    expect(await page.evaluate('document.activeElement.name')).toBe('by');
  });

  it('shows that a charge has expired, and that a fault has ended, though nothing was done', async () => {
    const sandbox = await serve();
    const { id } = await sandbox.charge(1_050, { expiresIn: 60 });
    await sandbox.clock.advance(58_000);
    sandbox.faults.add({ target: 'api', effect: { kind: 'html' }, forMs: 2_000 });
    const page = await open();
    await page.goto(sandbox.uiUrl);
    const faults = await page.context().newPage();
    await faults.goto(at(sandbox, 'faults'));
    const payer = await page.context().newPage();
    await payer.goto(at(sandbox, `pay/${id}`));
    await page.getByTestId('charges').getByText('EXPIRED', { exact: true }).waitFor();
    await faults.getByTestId('faults').getByText('spent', { exact: true }).waitFor();
    await payer.getByText('This code has expired').waitFor();
    expect(await payer.getByTestId('confirm').count()).toBe(0);
  });

  it('takes a late payment where an assumption lets an expired charge be paid', async () => {
    const sandbox = await serve({ assume: { 'expired-transition': 'still-payable' } });
    const { id } = await sandbox.charge(1_050, { expiresIn: 60 });
    await sandbox.clock.advance(61_000);
    const page = await open();
    await page.goto(sandbox.uiUrl);
    await page.goto(at(sandbox, `charges/${id}`));
    await page.getByText('EXPIRED', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Expire' }).count()).toBe(0);
    await page.getByTestId('as-payer').click();
    await page.getByText('This code has expired').waitFor();
    await page.getByTestId('confirm').click();
    await page.getByTestId('receipt').waitFor();
    expect((await sandbox.get(`/transparents/check?id=${id}`)).body.data).toMatchObject({ status: 'PAID' });
  });

  it('says when what it shows no longer exists, until it does again', async () => {
    const sandbox = await serve();
    const { id } = await sandbox.charge();
    const before = sandbox.snapshot();
    const page = await open();
    await page.goto(sandbox.uiUrl);
    await page.goto(at(sandbox, `charges/${id}`));
    await sandbox.reset();
    await page.getByTestId('flash').getByText(`charge ${id} does not exist`).waitFor();
    await sandbox.restore(before);
    await page.getByTestId('flash').waitFor({ state: 'hidden' });
  });

  it('acts once on what is pressed twice, or held down', async () => {
    const sandbox = await serve({ merchant: { available: 1_000_000 } });
    const page = await open();
    await page.goto(sandbox.uiUrl);
    const asked = counted(page);
    const posts = () => asked.filter((path) => /\/(pay|refund)/.test(path));
    const { id } = await sandbox.charge();
    await page.goto(at(sandbox, `charges/${id}`));
    // A slow double click: the page has put Refund where Pay was.
    const { x, y } = (await page.getByTestId('pay').boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(x + 20, y + 10);
    await page.mouse.down({ clickCount: 1 });
    await page.mouse.up({ clickCount: 1 });
    await page.getByText('PAID', { exact: true }).waitFor();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    const other = await sandbox.charge();
    await page.goto(at(sandbox, `charges/${other.id}`));
    await page.evaluate(`for (const repeat of [false, true, true])
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'P', repeat, bubbles: true }))`);
    await page.getByText('PAID', { exact: true }).waitFor();
    await page.evaluate(`for (const _ of [1, 2]) document.querySelector('[data-shortcut=r]').click()`);
    await page.getByText('REFUNDED', { exact: true }).waitFor();
    expect(posts()).toEqual([
      `/__sandbox/ui/pay/${id}`,
      `/__sandbox/ui/pay/${other.id}`,
      `/__sandbox/ui/charges/${other.id}/refund`,
    ]);
    expect(await page.getByTestId('flash').isHidden()).toBe(true);
  });

  it('says that the server is gone, and that another one has taken its place', async () => {
    const sandbox = await serve();
    const page = await open();
    await page.goto(sandbox.uiUrl);
    await sandbox.close();
    await page.getByText('The server does not answer. What is shown may be out of date.').waitFor();
    await serve({ port: Number(new URL(sandbox.url).port) });
    await page.getByTestId('flash').getByText('Open this page by the whole address').waitFor();
  });

  it('names every control and fits 360 pixels', async () => {
    await using hook = await startReceiver();
    const sandbox = await serve({ withdrawals: 'manual', merchant: { available: 100_000 } });
    await sandbox.post('/webhooks', { url: `${hook.url}/${'p'.repeat(1_000)}`, events: ['CHARGE_PAID'] });
    const { id } = await sandbox.charge(1_050, { description: 'x'.repeat(140) });
    const paid = await sandbox.charge();
    sandbox.pay(paid.id);
    await hook.arrived(1);
    sandbox.faults.preset('beta-change');
    const withdrawal = await sandbox.post('/withdrawals', {
      amount: 1_000,
      pixKey: '123e4567-e12b-12d1-a456-426655440000',
      pixKeyType: 'CHAVE_ALEATORIA',
    });
    const page = await open({ viewport: { width: 360, height: 740 } });
    await page.goto(sandbox.uiUrl);
    const [event] = sandbox.events();
    for (const path of [
      ...['charges', 'events', 'money', 'clock', 'faults', 'requests', 'requests/1', 'assumptions', 'lab'],
      ...[`charges/${id}`, `pay/${id}`, `charges/${paid.id}`, `events/${event?.id}`],
      `withdrawals/${withdrawal.body.data.id}`,
    ]) {
      await page.goto(at(sandbox, path));
      for (const summary of await page.locator('summary').all()) await summary.click();
      const tooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
      expect([path, await page.evaluate(tooWide)]).toEqual([path, false]);
      expect([path, await nameless(page)]).toEqual([path, []]);
    }
  });

  it('shows the ids of the open points in words, not letter under letter, at 360 pixels', async () => {
    const sandbox = await serve();
    const page = await open({ viewport: { width: 360, height: 740 } });
    await page.goto(sandbox.uiUrl);
    await page.goto(at(sandbox, 'assumptions'));
    const lines = await page
      .getByTestId('assumptions')
      .locator('code')
      .evaluateAll((codes) => codes.map((code) => code.getClientRects().length));
    expect(Math.max(...lines)).toBeLessThanOrEqual(4);
  });

  it('says in the signature lab which step differs', async () => {
    const sandbox = await serve();
    const page = await open();
    await page.goto(sandbox.uiUrl);
    await page.keyboard.press('8');
    await page
      .getByLabel('Signature header')
      .fill('t=1767323045,v1=f71aab663e9e24a8c7f90aaf47c207e858ac5af230281311bc2baa1a6a7c909d');
    await page
      .getByLabel('Body, exactly as it came')
      .fill(
        '{"id":"evt_0001","event":"CHARGE_PAID","createdAt":"2026-01-02T03:04:05.000Z","data":{"id":"chg_0001","amount":12345}}',
      );
    await page.getByLabel('Secret, typed').fill('test_0123456789abcdef');
    await page.getByLabel('Age').selectOption('none');
    await page.getByTestId('lab-check').click();
    await page.getByText('The signature does not verify.').waitFor();
    expect(await page.getByTestId('step-signature').textContent()).toContain('with a whsec_ prefix');
    await page.getByLabel('Secret, typed').fill('whsec_test_0123456789abcdef');
    await page.getByTestId('lab-check').click();
    await page.getByText('The signature is valid.').waitFor();
    expect(await page.content()).not.toContain('whsec_test_0123456789abcdef');
  });

  it('adds a fault, counts its hits, and clears it', async () => {
    const sandbox = await serve();
    const page = await open();
    await page.goto(sandbox.uiUrl);
    await page.goto(at(sandbox, 'faults'));
    await page.locator('select[name=preset]').selectOption('rate-limited');
    await page.getByTestId('add-fault').click();
    await page.getByTestId('hits').getByText('0').waitFor();
    expect((await sandbox.get('/transparents/list')).status).toBe(429);
    await page.getByTestId('hits').getByText('1').waitFor();
    await page.getByRole('button', { name: 'Clear: fault_1' }).click();
    await page.getByTestId('faults-empty').waitFor();
    expect(sandbox.faults.list()).toEqual([]);
  });

  it('copies a request without its key, and shows no signing secret', async () => {
    const sandbox = await serve();
    await sandbox.charge(1_050, { description: "it's" });
    const page = await open();
    await page.goto(sandbox.uiUrl);
    await page.goto(at(sandbox, 'requests/1'));
    const copied = await page.getByRole('button', { name: 'Copy as curl' }).getAttribute('data-copy');
    expect(copied).toContain(
      `-H "Authorization: Bearer $PIXCTL_API_KEY" -H 'Content-Type: application/json'`,
    );
    expect(await page.content()).not.toContain(sandbox.apiKey);
    expect(await page.getByRole('button', { name: 'Copy as pixctl' }).getAttribute('data-copy')).toBe(
      `pixctl --profile sandbox charge create --amount 1050 --description 'it'\\''s'`,
    );
    const { body } = await sandbox.post('/webhooks', { url: 'http://127.0.0.1:1/', events: ['CHARGE_PAID'] });
    await page.goto(at(sandbox, 'requests/2'));
    expect(await page.content()).toContain('"whsec_..."');
    expect(await page.content()).not.toContain(body.data.secret);
  });
});
