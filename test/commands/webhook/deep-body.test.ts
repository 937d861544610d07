/** Bodies that are nested so deeply that whoever walks them by recursion does not come back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliver, signatureOf } from '../../support/delivery.ts';
import { homeWithSecret, type Listening, listen } from '../../support/listen.ts';
import { run } from '../../support/run.ts';

const nested = (id: string, depth: number) =>
  `{"id":"${id}","event":"CHARGE_PAID","data":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`;
const deep = nested('evt_deep', 9_000);
const home = homeWithSecret();
let listener: Listening;
beforeAll(async () => {
  listener = await listen(home, ['--ui', '--port', '0', '--secret-file', `${home}/secret`]);
});
afterAll(() => listener.stop());

describe('a deeply nested body', () => {
  it('is refused with 400 when it is forged', async () => {
    const forged = { 'Service-Signature': signatureOf(deep, 'whsec_other') };
    expect((await deliver(listener.url, deep, forged)).status).toBe(400);
  });

  it('is kept when it is genuine, and shown as it came', async () => {
    expect((await deliver(listener.url, deep)).status).toBe(200);
    const shown = await run(['webhook', 'show', 'evt_deep', '--secret-file', `${home}/secret`], { home });
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain('"data":{"a":{"a":');
    const asJson = await run(['webhook', 'show', 'evt_deep', '-o', 'json'], { home });
    expect((JSON.parse(asJson.stdout) as { body: unknown }).body).toBe(deep);
    const edited = await run(['webhook', 'replay', 'evt_deep', '-f', '1', '--set', 'id=x'], {
      home,
      env: { PIXCTL_WEBHOOK_SECRET: 'whsec_test_0123456789abcdef' },
    });
    expect(edited.code).toBe(65);
  });

  it('is not indented on the page, where that would be many megabytes', async () => {
    // Indented it would be 32 MB; one nested more deeply could not be written at all.
    await deliver(listener.url, nested('evt_indented', 4_000));
    const ui = String(listener.ready.uiUrl);
    const { headers } = await fetch(ui, { redirect: 'manual' });
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    const { key } = await listener.line(({ id }) => id === 'evt_indented');
    const page = await fetch(new URL(`events/${key}`, ui), { headers: { cookie } });
    expect(page.status).toBe(200);
    expect((await page.text()).length).toBeLessThan(2_000_000);
  });
});
