/** What the sandbox's page leaves out, it tells; what it shows is what HTML allows. */
import { expect, it } from 'vitest';
import { startReceiver } from '../../support/receiver.ts';
import { serve } from '../support/over-http.ts';
import { visit } from './visitor.ts';

it('tells that there are more merchants than it shows', async () => {
  const sandbox = await serve();
  const page = await visit(sandbox);
  for (let n = 1; n < 20; n += 1) sandbox.addMerchant({ name: `Shop ${n}` });
  expect((await page.see('money')).text).not.toContain('not shown');
  for (const name of ['one more', 'another']) sandbox.addMerchant({ name });
  expect((await page.see('money')).text).toContain('2 more merchants are not shown.');
});

it('tells that an event has older deliveries than those that it shows', async () => {
  await using hook = await startReceiver();
  const sandbox = await serve();
  await sandbox.post('/webhooks', { url: hook.url, events: ['CHARGE_PAID'] });
  sandbox.pay((await sandbox.charge()).id);
  const page = await visit(sandbox);
  const path = `events/${sandbox.events()[0]?.id}`;
  const replay = async (times: number) => {
    for (let n = 0; n < times; n += 1) await page.submit('deliveries/1/replay', { how: 'resigned' });
  };
  await replay(49);
  expect((await page.see(path)).text).not.toContain('there are older ones');
  await replay(1);
  const { text } = await page.see(path);
  expect(text).toContain('Its newest 50 deliveries are shown; there are older ones.');
  expect(text.match(/data-testid="delivery"/g)?.length).toBe(50);
});

it('names a key on the one button that it presses, where an event has several deliveries', async () => {
  await using one = await startReceiver(500);
  await using other = await startReceiver();
  const sandbox = await serve();
  for (const { url } of [one, other]) await sandbox.post('/webhooks', { url, events: ['CHARGE_PAID'] });
  sandbox.clock.freeze();
  sandbox.pay((await sandbox.charge()).id);
  await expect.poll(() => sandbox.deliveries().map(({ state }) => state)).toEqual(['DELIVERED', 'PENDING']);
  const { text } = await (await visit(sandbox)).see(`events/${sandbox.events()[0]?.id}`);
  const [, newest, oldest] = text.split('data-testid="delivery"');
  const keysOf = (part = '') => [...part.matchAll(/data-shortcut="(\w)"/g)].map(([, key]) => key);
  expect([keysOf(newest), keysOf(oldest)]).toEqual([['r', 'i'], ['n']]);
});

it('writes no time that HTML cannot read, and a heading on the page of a problem too', async () => {
  const sandbox = await serve();
  await sandbox.charge();
  const page = await visit(sandbox);
  const times = (await page.see('charges')).text.match(/<time[^>]*>/g) ?? [];
  expect(times.filter((time) => !/ datetime="\d{4}-\d\d-\d\dT[\d:.]+Z"/.test(time))).toEqual([]);
  expect(times.length).toBe(3);
  expect((await page.see('nowhere')).text).toContain('<h1>That did not work</h1>');
});

it('has a name of its own for each part of an attempt, though several are open', async () => {
  await using one = await startReceiver(500);
  const sandbox = await serve();
  sandbox.clock.freeze();
  const page = await visit(sandbox);
  const named = async () => {
    const { text } = await page.see(`events/${sandbox.events()[0]?.id}`);
    return [...text.matchAll(/<section[^>]* aria-label="([^"]*)"/g)].map(([, name]) => name);
  };
  await sandbox.post('/webhooks', { url: one.url, events: ['CHARGE_PAID'] });
  sandbox.pay((await sandbox.charge()).id);
  await expect.poll(() => sandbox.deliveries()[0]?.attempts[0]?.endedAt ?? null).not.toBeNull();
  expect(await named()).toEqual([
    'Delivery 1',
    'Attempts',
    'Request of attempt 1',
    'Response of attempt 1',
    'Signature base string of attempt 1',
    'Data',
  ]);
  await sandbox.clock.advance('2s');
  await page.submit('deliveries/1/replay', { how: 'resigned' });
  await expect.poll(() => sandbox.deliveries().map(({ attempts }) => attempts.length)).toEqual([1, 2]);
  const names = await named();
  expect(names.slice(0, 4)).toEqual([
    'Delivery 2',
    'Attempts of delivery 2',
    'Request of delivery 2, replay 2, attempt 1',
    expect.stringMatching(/^(Signature base string|Response) of delivery 2, replay 2, attempt 1$/),
  ]);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  expect(names).toContain('Request of delivery 1, attempt 2');
  expect((await page.see(`events/${sandbox.events()[0]?.id}`)).text).toContain(
    'aria-label="Copy Request of delivery 1, attempt 2"',
  );
});
