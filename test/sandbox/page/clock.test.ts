/** What the page says of the sandbox's clock. */
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Served, serve } from '../support/over-http.ts';

async function clockPage({ uiUrl, url }: Served): Promise<string> {
  const { headers } = await fetch(uiUrl, { redirect: 'manual' });
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  return (await fetch(`${url}/__sandbox/ui/clock`, { headers: { cookie } })).text();
}

const told = async (sandbox: Served) => /<dt>It<\/dt><dd>([^<]+)</.exec(await clockPage(sandbox))?.[1];

it('has a refund under way among what is due', async () => {
  const sandbox = await serve({ assume: { 'refund-completion': '5s' } });
  sandbox.clock.freeze();
  const { id } = await sandbox.charge();
  sandbox.pay(id);
  await sandbox.post(`/transparents/refund?id=${id}`);
  expect(await clockPage(sandbox)).toContain(`the refund of charge ${id} is completed`);
});

it.each([
  ['at-expires-at', true],
  ['never', false],
])('has a charge among what is due, unless it expires %s: %s', async (transition, isDue) => {
  const sandbox = await serve({ assume: { 'expired-transition': transition } });
  const { id } = await sandbox.charge();
  expect((await clockPage(sandbox)).includes(`charge ${id} expires`)).toBe(isDue);
});

it('stands still, runs with the machine, behind it or ahead of it', async () => {
  const sandbox = await serve();
  expect(await told(sandbox)).toBe('runs with the machine');
  sandbox.clock.freeze();
  expect(await told(sandbox)).toBe('is stopped');
  while (Date.now() <= sandbox.clock.now()) await setImmediate();
  sandbox.clock.unfreeze();
  expect(await told(sandbox)).toBe('runs, behind the machine');
  await sandbox.clock.advance('1h');
  expect(await told(sandbox)).toBe('runs, ahead of the machine');
});
