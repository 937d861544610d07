/** `webhook listen --ui` in a real browser: the real program, a real inbox, a real application. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { deliver, eventBody, signatureOf, testSecret } from '../support/delivery.ts';
import { homeWithSecret, type Listening, listen } from '../support/listen.ts';
import { alwaysAnswering, startReceiver } from '../support/receiver.ts';
import { run } from '../support/run.ts';
import { inBrowser, open } from './browser.ts';
import { nameless } from './names.ts';

const hostile = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;

/** A listener with its page; ended with the application. */
async function listening(answer: (body: string) => number, flags: readonly string[] = []) {
  const application = await alwaysAnswering(({ body }) => answer(body));
  const home = homeWithSecret();
  const listener: Listening = await listen(home, [
    ...['--ui', '--port', '0', '-f', application.url, '--secret-file', join(home, 'secret')],
    ...['--attempts', '1', ...flags],
  ]);
  return {
    application,
    home,
    listener,
    ui: String(listener.ready.uiUrl),
    async [Symbol.asyncDispose]() {
      await listener.stop();
      await application.close();
    },
  };
}

inBrowser('the inspector of the listener', () => {
  it('shows a delivery as it comes, replays it signed anew, and sends an edited copy', async () => {
    let status = 500;
    await using it = await listening(() => status);
    const page = await open();
    await page.goto(it.ui);
    await page.getByTestId('inbox-empty').waitFor();
    await deliver(it.listener.url, eventBody('evt_1'));
    await page.getByRole('link', { name: 'CHARGE_PAID' }).click();
    await page.getByText('GIVEN_UP', { exact: true }).waitFor();
    status = 200;
    await page.getByTestId('replay').click();
    await page.getByText('Your application accepted it with HTTP 200.').waitFor();
    await page.getByText(it.application.url, { exact: true }).waitFor();
    await page.getByTestId('attempt').nth(1).click();
    await page.getByText('the body of a 2xx is not kept').waitFor();
    expect(await page.getByText('There was no response.').count()).toBe(0);
    expect(await page.getByTestId('attempt').count()).toBe(2);
    expect(it.application.received[1]?.body).toBe(eventBody('evt_1'));

    await page.getByText('Edit and replay').click();
    await page.getByRole('textbox').fill(eventBody('evt_1', 'CHARGE_PAID', 7));
    await page.getByTestId('send-edited').click();
    await page.getByText('here (edited on the page)').waitFor();
    expect(JSON.parse(it.application.received[2]?.body ?? '')).toMatchObject({
      data: { amount: 7 },
    });
    expect(it.application.received[2]?.headersDistinct['pixctl-edited']).toEqual([
      'edited%20on%20the%20page',
    ]);
  });

  it.each([
    [500, [], 'No further attempt is planned'],
    [404, ['--ack', 'app'], 'No further attempt is planned'],
    [500, ['--ack', 'app'], 'The service was told so, and delivers it again (3 attempts in all)'],
  ])('says of an answer with %s to %j what follows', async (status, flags, words) => {
    await using it = await listening(() => status, flags);
    await deliver(it.listener.url, eventBody('evt_1'));
    await it.listener.line(({ type, state }) => type === 'event' && state === 'GIVEN_UP');
    const page = await open();
    await page.goto(it.ui);
    await page.getByRole('link', { name: 'CHARGE_PAID' }).click();
    expect(await page.getByTestId('reason').textContent()).toContain(`Last: HTTP ${status}. ${words}`);
  });

  it('replays to the application of this run, wherever the event was sent before', async () => {
    await using it = await listening(() => 200);
    const other = await startReceiver();
    await deliver(it.listener.url, eventBody('evt_1'));
    await it.listener.line(({ type }) => type === 'event');
    const secret = ['--secret-file', join(it.home, 'secret')];
    await run(['webhook', 'replay', 'evt_1', '-f', other.url, ...secret], { home: it.home });
    await deliver(it.listener.url, eventBody('evt_1'));
    const page = await open();
    await page.goto(it.ui);
    await page.getByRole('link', { name: 'CHARGE_PAID' }).click();
    await page.getByText('once', { exact: true }).waitFor();
    await page.getByTestId('replay').click();
    await expect.poll(() => page.getByTestId('attempt').count()).toBe(3);
    expect([it.application.received.length, other.received.length]).toEqual([2, 1]);
    await other.close();
  });

  it('replays once, as it came, with the headers of this run; what is no JSON object is not sent', async () => {
    await using it = await listening(() => 500, ['--header', 'X-Own: yes', '--debug']);
    await deliver(it.listener.url, eventBody('evt_1'));
    await it.listener.line(({ type, state }) => type === 'event' && state === 'GIVEN_UP');
    const page = await open();
    await page.goto(it.ui);
    await page.getByRole('link', { name: 'CHARGE_PAID' }).click();
    await page.getByText('Replay, identical').click();
    const attempts = page.getByTestId('attempt');
    await expect.poll(() => attempts.count()).toBe(2);
    expect(it.listener.stderr()).toMatch(
      /^> POST \S+ #2 .*x-own: \[redacted\].* \{"id":"evt_1".*\n< 500 #2 /m,
    );
    await attempts.nth(1).click();
    expect(await attempts.nth(1).textContent()).toMatch(
      /HTTP 500.*with the original signature.*\(no body\)/s,
    );
    const [first, second] = it.application.received;
    expect(second?.headersDistinct).toMatchObject({
      'x-own': ['yes'],
      'service-signature': first?.headersDistinct['service-signature'],
    });

    await page.getByText('Edit and replay').click();
    await page.getByRole('textbox').fill('[1]');
    await page.getByTestId('send-edited').click();
    await page.getByText('The body is not a JSON object. Nothing was sent.').waitFor();
    expect(it.application.received).toHaveLength(2);
  });

  it('sends nothing where there is no application, nor an edited copy that nothing here can sign', async () => {
    const home = homeWithSecret();
    const secrets = ['--secret-file', join(home, 'secret')];
    const first = await listen(home, ['--ui', '--port', '0', ...secrets]);
    await deliver(first.url, eventBody('evt_1'));
    const page = await open();
    await page.goto(String(first.ready.uiUrl));
    await page.getByRole('link', { name: 'CHARGE_PAID' }).click();
    await page.getByText('It is stored. No answer of an application is recorded.').waitFor();
    await page.getByTestId('replay').click();
    await page.getByText('Nothing is forwarded (no --forward-to). Nothing was sent.').waitFor();
    await first.stop();

    writeFileSync(join(home, 'secret'), 'whsec_another_0123456789\n');
    const application = await startReceiver();
    const second = await listen(home, ['--ui', '--port', '0', '-f', application.url, ...secrets]);
    await page.goto(String(second.ready.uiUrl));
    await page.getByRole('link', { name: 'CHARGE_PAID' }).click();
    await page.getByText('Edit and replay').click();
    await page.getByTestId('send-edited').click();
    await page.getByText('an edited copy cannot be signed. Nothing was sent.').waitFor();
    expect(application.received).toEqual([]);
    await second.stop();
    await application.close();
  });

  it('says of an event under another secret that this listener forwards none such, and cannot sign it anew', async () => {
    const application = await alwaysAnswering(() => 500);
    const home = homeWithSecret();
    const flags = ['--ui', '--port', '0', '-f', application.url, '--secret-file', join(home, 'secret')];
    const first = await listen(home, flags);
    await deliver(first.url, eventBody('evt_1'));
    await first.line(({ type }) => type === 'event');
    await first.stop();
    const before = application.received.length;

    writeFileSync(join(home, 'secret'), 'whsec_another_0123456789\n');
    const second = await listen(home, flags);
    const page = await open();
    await page.goto(String(second.ready.uiUrl));
    await page.getByRole('link', { name: 'CHARGE_PAID' }).click();
    await page
      .getByText(
        'It came under another secret: a listener with that secret forwards it, and so does a replay.',
      )
      .waitFor();
    expect(await page.getByText('Next attempt').count()).toBe(0);
    await page.getByTestId('replay').click();
    await page.getByText('it cannot be signed again here. Nothing was sent.').waitFor();
    expect(application.received).toHaveLength(before);
    await second.stop();

    writeFileSync(join(home, 'secret'), `${testSecret}\n`);
    const third = await listen(
      home,
      flags.filter((flag) => flag !== '-f' && flag !== application.url),
    );
    await page.goto(String(third.ready.uiUrl));
    await page.getByRole('link', { name: 'CHARGE_PAID' }).click();
    await page.getByText('This listener does not forward such events: one that does forwards it.').waitFor();
    expect(await page.getByText('Next attempt').count()).toBe(0);
    await third.stop();
    await application.close();
  });

  it('pages through more than fits one page, and says after the last that there are no older ones', async () => {
    await using it = await listening(() => 200);
    const send = (count: number, event: string) =>
      Promise.all(
        Array.from({ length: count }, (_, at) =>
          deliver(it.listener.url, eventBody(`${event}_${at}`, event)),
        ),
      );
    await send(1, 'OLDEST');
    await send(50, 'NEWER');
    const page = await open();
    await page.goto(it.ui);
    const names = () => page.locator('a.row').allTextContents();
    expect(await names()).toEqual(Array(50).fill('NEWER'));
    await page.keyboard.press(']');
    await page.waitForURL(/before=/);
    expect(await names()).toEqual(['OLDEST']);
    await send(49, 'NEWEST');
    await page.keyboard.press('[');
    await page.waitForURL(/inbox$/);
    await page.keyboard.press(']');
    await page.waitForURL(/before=/);
    expect(await names()).toHaveLength(50);
    await page.keyboard.press(']');
    await page.getByText('There are no older ones.').waitFor();
    await page.getByText('Newest', { exact: true }).click();
    await page.getByText('NEWEST').first().waitFor();
  });

  it('tells what was refused and why, and shows hostile text as text, at 360 pixels, every control named', async () => {
    await using it = await listening(() => 200);
    const page = await open({ viewport: { width: 360, height: 740 } });
    await page.goto(it.ui);
    const body = JSON.stringify({ id: hostile, event: hostile, data: { [hostile]: hostile } });
    await deliver(it.listener.url, body);
    await deliver(it.listener.url, body, { 'Service-Signature': `t=1,v1=${'0'.repeat(64)}`, 'X-Odd': '<b>' });
    const root = it.ui.replace(/\/\?.*/, '');
    await page.getByRole('link', { name: '<img' }).click();
    await page.getByText('DELIVERED', { exact: true }).waitFor();
    for (const path of [page.url(), `${root}/inbox`, `${root}/refused`, `${root}/lab`]) {
      await page.goto(path);
      expect(await page.title()).not.toBe('owned');
      expect(await page.evaluate('document.querySelectorAll("img, script:not([src])").length')).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
      expect(await nameless(page)).toEqual([]);
    }
    await page.goto(`${root}/refused`);
    await page.getByText('the signature does not match this body and secret').waitFor();
  });

  it.each([
    [
      'that is no text',
      Buffer.concat([Buffer.from('{"id":"evt_1",\r\n"event":"ODD","x":"'), Buffer.of(0xff, 0x22, 0x7d)]),
    ],
    ['of 1 MB', Buffer.from(`{"id":"evt_1","event":"ODD","x":"${'<'.repeat(1_000_000)}"}`)],
    ['with the line breaks of Windows', Buffer.from('{"id":"evt_1",\r\n"event":"ODD"}')],
  ])('judges a body %s by its very bytes, and carries no more of it than a page can', async (_, body) => {
    await using it = await listening(() => 200);
    await deliver(it.listener.url, body, { 'service-signature': signatureOf(body) });
    const page = await open();
    await page.goto(it.ui);
    await page.getByRole('link', { name: 'ODD' }).click();
    await page.getByText('DELIVERED', { exact: true }).waitFor();
    expect((await page.content()).length).toBeLessThan(800_000);
    const copied = await page.getByText('Copy as curl').getAttribute('data-copy');
    expect(copied).toMatch(/^pixctl webhook show in_\w+ --body \| curl -X POST .* --data-binary @-$/);
    await page.getByText('To the signature lab').click();
    await page.getByText('The signature is valid.').waitFor();
    await page.getByTestId('lab-check').click();
    await page.getByText('The signature is valid.').waitFor();
    expect(await page.getByTestId('kept').textContent()).toContain(
      `the ${body.byteLength} bytes of this event`,
    );
  });

  it('is on a port of its own: nothing of it is reached through the listener', async () => {
    await using it = await listening(() => 200);
    const answer = await fetch(`${it.listener.url}inspector/inbox`);
    expect(await answer.json()).toMatchObject({ pixctl: 'listening' });
    expect(new URL(it.ui).port).not.toBe(new URL(it.listener.url).port);
    await expect(fetch(it.ui.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow('fetch failed');
    expect((await fetch(it.ui.replace(/token=.*/, 'token=wrong'))).status).toBe(401);
  });

  it('shows the clock of its head anew in the lab, when the tab is come back to', async () => {
    await using it = await listening(() => 200);
    const page = await open();
    await page.goto(it.ui);
    await page.goto(`${it.ui.replace(/\/\?.*/, '')}/lab`);
    await page.getByLabel('Body, exactly as it came').fill('{"half":');
    // A machine that slept: what the page counts has stood still meanwhile.
    await page.evaluate(`document.body.dataset.now = String(Date.parse('2020-01-01T00:00:00Z'))`);
    await page.locator('header time').getByText('2020-01-01').waitFor();
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await expect.poll(() => page.locator('header time').textContent()).not.toContain('2020-01-01');
    expect(await page.getByLabel('Body, exactly as it came').inputValue()).toBe('{"half":');
  });
});
