/** What the list of events on the sandbox's page tells of each. */
import { expect, it } from 'vitest';
import { startReceiver } from '../../support/receiver.ts';
import { serve } from '../support/over-http.ts';
import { visit } from './visitor.ts';

it.each(['flat', 'nested'])('names the charge that an event is about, its data being %s', async (shape) => {
  const sandbox = await serve({ assume: { 'event-data-shape': shape } });
  const { id } = await sandbox.charge();
  sandbox.pay(id);
  const { headers } = await fetch(sandbox.uiUrl, { redirect: 'manual' });
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = await (await fetch(`${sandbox.url}/__sandbox/ui/events`, { headers: { cookie } })).text();
  expect(page).toContain(`<code>${id}</code>`);
});

it('tells an edited copy with its numbers as they are written, which JavaScript would read as others', async () => {
  await using hook = await startReceiver();
  const sandbox = await serve();
  await sandbox.post('/webhooks', { url: hook.url, events: ['CHARGE_PAID'] });
  sandbox.pay((await sandbox.charge()).id);
  await hook.arrived(1);
  const page = await visit(sandbox);
  const data =
    '{\r\n  "amount": 9007199254740993,\r\n  "rate": 1.10,\r\n  "most": 1e3,\r\n  "note": "a, b"\r\n}';
  expect((await page.submit('deliveries/1/edit', { data })).status).toBe(303);
  await hook.arrived(2);
  const sent = '{"amount":9007199254740993,"rate":1.10,"most":1e3,"note":"a, b"}';
  expect(hook.received[1]?.body).toMatch(/^\{"id":"evt_\w+",/);
  expect(hook.received[1]?.body.endsWith(`,"data":${sent}}`)).toBe(true);
  // The copy of the copy begins with them too.
  const { text } = await page.see(`events/${sandbox.events().at(-1)?.id}`);
  expect(text).toContain('&quot;amount&quot;: 9007199254740993,\n  &quot;rate&quot;: 1.10,');
});

it('shows marks that turn the direction of text, and sends them again as they came', async () => {
  await using hook = await startReceiver();
  const sandbox = await serve();
  await sandbox.post('/webhooks', { url: hook.url, events: ['CHARGE_PAID'] });
  sandbox.trigger('CHARGE_PAID', { id: 'chg_1', note: '\u202e05,01 $R' });
  await hook.arrived(1);
  const page = await visit(sandbox);
  const { text } = await page.see(`events/${sandbox.events()[0]?.id}`);
  const shown = text.replaceAll(/="[^"]*"/g, '');
  expect(shown).not.toContain('\u202e');
  expect(shown).toContain('\\u{202e}05,01 $R');
  const [, data = ''] = /<textarea name="data"[^>]*>\n([^<]*)</.exec(text) ?? [];
  expect(data).toContain('&quot;\\u202e05,01 $R&quot;');
  await page.submit('deliveries/1/edit', { data: data.replaceAll('&quot;', '"') });
  await hook.arrived(2);
  expect(JSON.parse(hook.received[1]?.body ?? '').data).toEqual({ id: 'chg_1', note: '\u202e05,01 $R' });
});

it('says of an attempt under way that it is, not what was said before it', async () => {
  await using hook = await startReceiver('hang', 500, 'hang');
  const sandbox = await serve({ deliveryTimeoutMs: 60_000 });
  await sandbox.post('/webhooks', { url: hook.url, events: ['CHARGE_PAID'] });
  sandbox.clock.freeze();
  const page = await visit(sandbox);
  const reasonOf = async (id: string) =>
    /data-testid="reason">([^<]*)/.exec((await page.see(`events/${id}`)).text)?.[1];
  const first = sandbox.trigger('CHARGE_PAID');
  await hook.arrived(1);
  expect(await reasonOf(first.id)).toBe('Attempt 1 is under way.');
  const second = sandbox.trigger('CHARGE_PAID');
  await expect.poll(() => reasonOf(second.id)).toBe('HTTP 500; attempt 2 of 3 follows 2 s later.');
  void sandbox.clock.advance('2s');
  await hook.arrived(3);
  expect(await reasonOf(second.id)).toBe('Attempt 2 is under way.');
  expect(sandbox.deliveries({ eventId: second.id })).toMatchObject([{ state: 'PENDING', reason: null }]);
});
